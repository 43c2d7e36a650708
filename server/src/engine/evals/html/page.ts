/** The page around a report: one file that loads nothing, runs nothing and looks right in light and in dark. */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { Html, html } from './markup.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; }
h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid GrayText; }
table { border-collapse: collapse; margin: 0.5rem 0; display: block; overflow-x: auto; }
th, td { padding: 0.15rem 0.75rem 0.15rem 0; text-align: left; vertical-align: baseline; }
th, td.number { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.25rem 0; padding: 0.5rem 0.75rem;
  border-left: 3px solid GrayText; font: 13px/1.45 ui-monospace, monospace; unicode-bidi: isolate; }
summary { cursor: pointer; }
details details { margin-left: 1.25rem; }
meter { width: 8rem; }
del, ins { display: block; text-decoration: none; }
ins::before { content: "+ "; }
del::before { content: "- "; }
.note { color: GrayText; }
.warning { border-left: 3px solid; padding-left: 0.75rem; }
`;

const styleHash = btoa(String.fromCharCode(...sha256(utf8ToBytes(style))));

/** What a browser may do with the page: use this one style, and nothing else. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/** The pieces of a whole page, to be written one after the other. */
export async function* page(title: string, content: AsyncIterable<Html>): AsyncGenerator<string> {
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
`;
  yield head.markup;
  for await (const piece of content) yield `${piece.markup}\n`;
  yield '</body>\n</html>\n';
}
