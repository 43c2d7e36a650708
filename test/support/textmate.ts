/** Tokenizes text with our TextMate grammars as VS Code does, beside its own Markdown and YAML grammars. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar, type IOnigLib, type IRawTheme, type Registry } from 'vscode-textmate';
import manifest from '../../package.json' with { type: 'json' };

const require = createRequire(import.meta.url);
const project = new URL('../../', import.meta.url);

/** Grammars that ours embed or are injected into. */
const OTHERS: Readonly<Record<string, string>> = {
  'text.html.markdown': 'markdown',
  'text.html.derivative': 'html-derivative',
  'text.html.basic': 'html',
  'source.yaml': 'yaml',
  'source.json': 'json',
};

export interface Token {
  readonly text: string;
  /** From the outermost inwards. */
  readonly scopes: readonly string[];
}

async function loadOniguruma(): Promise<IOnigLib> {
  await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
  return {
    createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
    createOnigString: (text) => new oniguruma.OnigString(text),
  };
}

const onigLib = loadOniguruma();

/** A registry of our grammars as package.json contributes them; with `theme`, tokens have that theme's colours. */
function createRegistry(theme?: IRawTheme): Registry {
  return new textmate.Registry({
    onigLib,
    ...(theme ? { theme } : {}),
    loadGrammar: async (scopeName) => {
      const own = manifest.contributes.grammars.find((grammar) => grammar.scopeName === scopeName);
      const other = OTHERS[scopeName];
      const file = own
        ? new URL(own.path, project)
        : other && require.resolve(`tm-grammars/grammars/${other}.json`);
      return file ? textmate.parseRawGrammar(readFileSync(file, 'utf8'), '.json') : null;
    },
    getInjections: (scopeName) =>
      manifest.contributes.grammars
        .filter((grammar) => 'injectTo' in grammar && grammar.injectTo.includes(scopeName))
        .map((grammar) => grammar.scopeName),
  });
}

async function load(scopeName: string, theme?: IRawTheme): Promise<{ grammar: IGrammar; colours: string[] }> {
  const registry = createRegistry(theme);
  const grammar = await registry.loadGrammar(scopeName);
  if (!grammar) throw new Error(`There is no grammar ${scopeName}.`);
  return { grammar, colours: registry.getColorMap() };
}

/** The tokens of every line of `text`. */
export async function tokenize(scopeName: string, text: string): Promise<Token[][]> {
  const { grammar } = await load(scopeName);
  let state = textmate.INITIAL;
  return text.split('\n').map((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes,
    }));
  });
}

/** Bits of a binary token's metadata that hold the index of its foreground colour. */
const FOREGROUND_MASK = 0x00ff8000;
const FOREGROUND_SHIFT = 15;

/** The colour (`#RRGGBB`) that `theme` gives to each character of every line of `text`. */
export async function colours(scopeName: string, text: string, theme: IRawTheme): Promise<string[][]> {
  const { grammar, colours: map } = await load(scopeName, theme);
  let state = textmate.INITIAL;
  return text.split('\n').map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine2(line, state);
    state = ruleStack;
    const painted: string[] = [];
    for (let i = 0; i < tokens.length; i += 2) {
      const index = ((tokens[i + 1] ?? 0) & FOREGROUND_MASK) >>> FOREGROUND_SHIFT;
      const colour = map[index]?.slice(0, '#RRGGBB'.length) ?? ''; // themes may add an opacity
      const end = tokens[i + 2] ?? line.length;
      while (painted.length < end) painted.push(colour);
    }
    return painted;
  });
}
