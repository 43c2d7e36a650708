/** The documents that the editor has open. */
import { type Connection, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { problemOfChange, problemOfOpening } from './params.ts';

/**
 * Follows what the editor tells of its documents. What makes no sense is left out, with a word in the log: taken in, it
 * would spoil the document for everything that is asked about it afterwards.
 */
export function followDocuments(connection: Connection): TextDocuments<TextDocument> {
  const documents = new TextDocuments(TextDocument);
  const isSound = (problem: string | null): boolean => {
    if (problem !== null) connection.console.error(problem);
    return problem === null;
  };
  documents.listen({
    onDidOpenTextDocument: (handler) =>
      connection.onDidOpenTextDocument((params) => {
        if (isSound(problemOfOpening(params))) handler(params);
      }),
    onDidChangeTextDocument: (handler) =>
      connection.onDidChangeTextDocument((params) => {
        if (isSound(problemOfChange(params))) handler(params);
      }),
    onDidCloseTextDocument: (handler) => connection.onDidCloseTextDocument(handler),
    onWillSaveTextDocument: (handler) => connection.onWillSaveTextDocument(handler),
    onWillSaveTextDocumentWaitUntil: (handler) => connection.onWillSaveTextDocumentWaitUntil(handler),
    onDidSaveTextDocument: (handler) => connection.onDidSaveTextDocument(handler),
  });
  return documents;
}
