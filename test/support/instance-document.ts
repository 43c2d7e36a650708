/** A small instance as an open document of a language service, for tests of its features. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, Range } from 'vscode-languageserver-types';
import type { Instance } from '../../server/src/engine/environments/navigator/instance.ts';
import { viewInstance } from '../../server/src/engine/environments/navigator/view.ts';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { accept } from '../../server/src/engine/problem.ts';
import { printInstanceUri } from '../../server/src/language/instances/uri.ts';
import { createLanguageService, type LanguageService } from '../../server/src/language/service.ts';
import { openDocument } from './language.ts';
import { toldInstance } from './told-instance.ts';

export interface OpenedInstance {
  readonly service: LanguageService;
  readonly document: TextDocument;
  /** The position of the bar in a snippet that occurs once in the document. */
  at(snippet: string): Position;
  /** A range as `line:character |text|`. */
  show(range: Range): string;
}

/** A service for which every navigator instance is `instance`, and its document. */
export function openInstance(instance: Instance = toldInstance): OpenedInstance {
  const service = createLanguageService(
    environments.map((environment) =>
      environment.id === 'navigator'
        ? { ...environment, generate: () => accept({ instance, attempts: 1, reasons: {} }) }
        : environment,
    ),
  );
  const { id, split } = instance;
  const uri = printInstanceUri({ environment: 'navigator', split, index: 0, id });
  const document = openDocument('hopscope-instance', viewInstance(instance).text, uri);
  return {
    service,
    document,
    at(snippet) {
      const text = document.getText();
      const wanted = snippet.replace('|', '');
      const start = text.indexOf(wanted);
      if (start < 0 || text.indexOf(wanted, start + 1) >= 0)
        throw new Error(`not once in the text: ${wanted}`);
      return document.positionAt(start + snippet.indexOf('|'));
    },
    show: (range) => `${range.start.line + 1}:${range.start.character + 1} |${document.getText(range)}|`,
  };
}
