/** How runs look in the tree: every figure with how many episodes it stands for. */
import * as vscode from 'vscode';
import type { BrokenRun, RunRow, RunStatus, StreamEntry } from '../../../server/src/protocol.ts';
import { type StreamNode, streamItem, type WindowNode, windowItem } from './stream-items.ts';

export interface PromptNode {
  readonly kind: 'prompt';
  /** Null for runs without a step prompt. */
  readonly name: string | null;
  /** The newest first. */
  readonly runs: readonly (RunRow | StreamEntry)[];
}

export interface RunNode {
  readonly kind: 'run';
  readonly run: RunRow;
}

export type Node =
  | PromptNode
  | RunNode
  | StreamNode
  | WindowNode
  | { readonly kind: 'broken'; readonly run: BrokenRun };

/** Runs by the name of their step prompt, in the order of their newest runs. */
export function groupByPrompt(runs: readonly RunRow[], streams: readonly StreamEntry[] = []): PromptNode[] {
  const groups = new Map<string | null, (RunRow | StreamEntry)[]>();
  const all = [...runs, ...streams].sort((a, b) => b.time - a.time);
  for (const run of all) {
    const name = run.prompt?.name ?? null;
    const group = groups.get(name);
    if (group) group.push(run);
    else groups.set(name, [run]);
  }
  return [...groups].map(([name, members]) => ({ kind: 'prompt', name, runs: members }));
}

export function itemOf(node: Node): vscode.TreeItem {
  if (node.kind === 'prompt') return promptItem(node);
  if (node.kind === 'stream') return streamItem(node.run);
  if (node.kind === 'window') return windowItem(node);
  return node.kind === 'run' ? runItem(node.run) : brokenItem(node.run);
}

function promptItem({ name, runs }: PromptNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name ?? 'without a step prompt', vscode.TreeItemCollapsibleState.Expanded);
  item.id = `prompt ${name ?? ''}`;
  item.description = runs.length === 1 ? '1 run' : `${runs.length} runs`;
  item.iconPath = new vscode.ThemeIcon('note');
  item.contextValue = 'prompt';
  return item;
}

function runItem(run: RunRow): vscode.TreeItem {
  const item = new vscode.TreeItem(titleOf(run));
  item.id = run.uri;
  item.description = describeRun(run);
  item.tooltip = tooltipOf(run);
  item.iconPath = icons[run.status];
  item.contextValue = contextOf(run);
  item.command = { title: 'Open Results', command: 'hopscope.runs.open', arguments: [run.uri] };
  item.accessibilityInformation = { label: `${titleOf(run)}, ${run.status}, ${describeRun(run)}` };
  return item;
}

/** E.g. `gpt-5-mini · id_test`. */
export function titleOf({ agent, label, suite }: RunRow): string {
  return [agent.name, suite === null ? label : `suite ${suite}`].filter((part) => part !== '').join(' · ');
}

/** E.g. `0.71 ± 0.05 · 18/20, 2 errored · $0.02`: short, since views are narrow; the tooltip says what is what. */
export function describeRun({ status, figures, note }: RunRow): string {
  const { counts, reward, dollars } = figures;
  const { requested, scored, errored } = counts;
  return [
    ...(reward.mean === null ? [] : [meanText(reward)]),
    `${scored}/${requested}${errored > 0 ? `, ${errored} errored` : ''}`,
    ...(status === 'running' || status === 'stopped' ? [status] : []),
    ...(dollars === null ? [] : [`$${dollars.toFixed(2)}`]),
    ...note.tags.map((tag) => `#${tag}`),
  ].join(' · ');
}

function meanText({ mean, error }: RunRow['figures']['reward']): string {
  return mean === null ? '–' : `${mean.toFixed(2)} ± ${error === null ? '–' : error.toFixed(2)}`;
}

const icons: Readonly<Record<RunStatus, vscode.ThemeIcon>> = {
  running: new vscode.ThemeIcon('sync~spin'),
  done: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  stopped: new vscode.ThemeIcon('debug-pause'),
  errors: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
};

/** What menus ask for, e.g. `run stopped own prompt failures`. */
function contextOf({ status, isOwn, prompt, figures }: RunRow): string {
  const hasFailures = Object.keys(figures.causes).some((cause) => cause !== 'unfinished');
  return [
    'run',
    status,
    ...(isOwn ? ['own'] : []),
    ...(prompt === null ? [] : ['prompt']),
    ...(hasFailures ? ['failures'] : []),
  ].join(' ');
}

/** All that is known of a run. Names come from models and files, so they are text and nothing else. */
function tooltipOf(run: RunRow): vscode.MarkdownString {
  const { counts, reward, accuracy, causes, requests, tokens, dollars } = run.figures;
  const causeList = Object.entries(causes).map(([cause, count]) => `${cause} ${count}`);
  const number = (count: number) => count.toLocaleString('en');
  const lines: readonly (readonly [string, string])[] = [
    ['Status', run.status],
    ['Begun', new Date(run.time).toLocaleString()],
    ['Agent', run.agent.baseUrl === null ? run.agent.name : `${run.agent.name} at ${run.agent.baseUrl}`],
    ['Instances', run.suite === null ? run.label : `${run.label} (suite ${run.suite})`],
    [
      'Episodes',
      `${number(counts.requested)} requested, ${number(counts.scored)} scored, ${number(counts.errored)} errored, ${number(counts.unfinished)} unfinished`,
    ],
    ['Reward', meanText(reward)],
    ['Accuracy', meanText(accuracy)],
    ...(causeList.length === 0 ? [] : [['Failed by', causeList.join(', ')] as const]),
    ...(tokens === null
      ? []
      : [
          [
            'Used',
            `${number(requests)} requests, ${number(tokens.input)} tokens in, ${number(tokens.output)} out`,
          ] as const,
        ]),
    ...(dollars === null ? [] : [['Cost', `$${dollars.toFixed(4)}`] as const]),
    ...(run.note.text === '' ? [] : [['Note', run.note.text] as const]),
    ...(run.note.tags.length === 0 ? [] : [['Tags', run.note.tags.join(', ')] as const]),
  ];
  const tooltip = new vscode.MarkdownString();
  for (const [label, value] of lines) tooltip.appendMarkdown(`**${label}** `).appendText(`${value}\n`);
  return tooltip;
}

function brokenItem({ uri, problem }: BrokenRun): vscode.TreeItem {
  const item = new vscode.TreeItem(uri.slice(uri.lastIndexOf('/') + 1));
  item.id = uri;
  item.description = problem;
  item.tooltip = problem;
  item.iconPath = new vscode.ThemeIcon('error');
  item.contextValue = 'broken';
  return item;
}
