/** The tree of the Runs view: step prompts, and under each its runs, the newest first. */
import * as vscode from 'vscode';
import { groupByPrompt, itemOf, type Node } from './items.ts';
import type { RunModel } from './run-model.ts';
import { windowsOf } from './stream-items.ts';

export class RunTree implements vscode.TreeDataProvider<Node> {
  readonly #model: RunModel;
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  #isRead = false;

  constructor(model: RunModel) {
    this.#model = model;
    model.onDidChange(() => this.#changes.fire(undefined));
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) return childrenOf(node);
    if (!this.#isRead) {
      this.#isRead = true;
      await this.#model.ready();
    }
    const { runs, streams, broken } = this.#model.listing;
    return [...groupByPrompt(runs, streams), ...broken.map((run): Node => ({ kind: 'broken', run }))];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return itemOf(node);
  }
}

function childrenOf(node: Node): Node[] {
  if (node.kind === 'stream') return windowsOf(node.run);
  if (node.kind !== 'prompt') return [];
  return node.runs.map((run) => ('streams' in run ? { kind: 'stream', run } : { kind: 'run', run }));
}
