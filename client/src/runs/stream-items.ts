/** How streams look in the tree of runs: what they score so far, and under each its windows. */
import * as vscode from 'vscode';
import type { StreamEntry, StreamSummary, WindowView } from '../../../server/src/protocol.ts';

export interface StreamNode {
  readonly kind: 'stream';
  readonly run: StreamEntry;
}

export interface WindowNode {
  readonly kind: 'window';
  /** Of the stream that it is in. */
  readonly uri: string;
  readonly stream: StreamSummary;
  readonly window: WindowView;
}

const icons: Readonly<Record<StreamEntry['status'], vscode.ThemeIcon>> = {
  running: new vscode.ThemeIcon('sync~spin'),
  done: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  stopped: new vscode.ThemeIcon('debug-pause'),
};

/** The windows of all its streams, in their order. */
export function windowsOf({ uri, streams }: StreamEntry): WindowNode[] {
  return streams.flatMap((stream) =>
    stream.windows
      .filter(({ isPlayed }) => isPlayed)
      .map((window): WindowNode => ({ kind: 'window', uri, stream, window })),
  );
}

export function streamItem(entry: StreamEntry): vscode.TreeItem {
  const { uri, status } = entry;
  const item = new vscode.TreeItem(streamTitle(entry), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = uri;
  item.description = describeStream(entry);
  item.tooltip = tooltipOf(entry);
  item.iconPath = icons[status];
  item.contextValue = ['stream', status, ...(entry.resume === null ? [] : ['resumable'])].join(' ');
  item.command = { title: 'Open Results', command: 'hopscope.runs.open', arguments: [uri] };
  item.accessibilityInformation = { label: `${streamTitle(entry)}, ${status}, ${describeStream(entry)}` };
  return item;
}

/** E.g. `gpt-5-mini · rag`. */
export function streamTitle({ agent, method }: StreamEntry): string {
  return `${agent.name} · ${method}`;
}

/** E.g. `hidden 24.0, fully specified 96.0 · 60/120 · running · mini, 3 streams`: means of the settings that are there. */
export function describeStream({ streams, size, done, of, status, dollars }: StreamEntry): string {
  const [first] = streams;
  const categories = [...new Set(streams.flatMap(({ scores }) => scores.map(({ category }) => category)))];
  const scores = categories.map((category) => {
    const own = streams.flatMap((stream) => stream.scores.filter((it) => it.category === category));
    const mean = own.reduce((sum, { score }) => sum + (score ?? 0), 0) / Math.max(1, own.length);
    return `${category.replaceAll('_', ' ')} ${mean.toFixed(1)}`;
  });
  return [
    ...(scores.length === 0 ? [] : [scores.join(', ')]),
    `${done.toLocaleString('en')}/${of.toLocaleString('en')}`,
    ...(status === 'done' ? [] : [status]),
    ...(dollars === null ? [] : [`$${dollars.toFixed(2)}`]),
    streams.length === 1 && first ? first.id : `${size}, ${streams.length} streams`,
  ].join(' · ');
}

/** Names come from models and files, so they are text and nothing else. */
function tooltipOf(entry: StreamEntry): vscode.MarkdownString {
  const { method, agent, status, time, streams, done, of, dollars } = entry;
  const lines: readonly (readonly [string, string])[] = [
    ['Status', status],
    ['Begun', new Date(time).toLocaleString()],
    ['Method', method],
    ['Agent', agent.baseUrl === null ? agent.name : `${agent.name} at ${agent.baseUrl}`],
    ['Episodes', `${done.toLocaleString('en')} of ${of.toLocaleString('en')} over`],
    ...streams.map((it) => [it.id, scoresText(it.scores)] as const),
    ...(dollars === null ? [] : [['Cost', `$${dollars.toFixed(4)}`] as const]),
  ];
  const tooltip = new vscode.MarkdownString();
  for (const [label, value] of lines) {
    tooltip.appendMarkdown('**').appendText(label).appendMarkdown('** ').appendText(`${value}\n`);
  }
  return tooltip;
}

function scoresText(scores: StreamSummary['scores']): string {
  if (scores.length === 0) return 'no test task yet';
  return scores
    .map(
      ({ category, score }) => `${category.replaceAll('_', ' ')} ${score === null ? '–' : score.toFixed(1)}`,
    )
    .join(', ');
}

export function windowItem({ uri, stream, window }: WindowNode): vscode.TreeItem {
  const { serving, test, scores, changes } = window;
  const title = `${stream.id} · window ${window.window}`;
  const changed = changes === 0 ? '' : `${changes} ${changes === 1 ? 'rule' : 'rules'} changed`;
  const done = test.done + (serving?.done ?? 0);
  const of = test.of + (serving?.of ?? 0);
  const text = [
    ...(changed === '' ? [] : [changed]),
    ...(scores.length === 0 ? [] : [scoresText(scores)]),
    `${done}/${of}`,
  ].join(' · ');
  const item = new vscode.TreeItem(title);
  item.id = `${uri} ${title}`;
  item.description = text;
  item.tooltip = `${title}: ${text}`;
  item.iconPath = new vscode.ThemeIcon(changes === 0 ? 'dash' : 'arrow-swap');
  item.contextValue = 'window';
  item.command = { title: 'Open Results', command: 'hopscope.runs.open', arguments: [uri] };
  item.accessibilityInformation = { label: `${title}, ${text}` };
  return item;
}
