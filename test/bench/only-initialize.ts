/** A language server that can do nothing: what starting any server costs. */
import { createConnection } from 'vscode-languageserver/node';

const connection = createConnection();
connection.onInitialize(() => ({ capabilities: {} }));
connection.listen();
