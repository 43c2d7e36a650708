/** The streams over which the server speaks when it was started with `--stdio`. */
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

interface Transport {
  readonly reader: StreamMessageReader;
  readonly writer: StreamMessageWriter;
}

/**
 * Undefined when it was started otherwise. After a header that makes no sense nobody can tell where the next message begins,
 * and waiting for one would look as if the server hung: it says so on standard error and ends, as it does when nobody is
 * left to speak to. Nothing but messages goes to standard output.
 */
export function standardStreams(): Transport | undefined {
  if (!process.argv.includes('--stdio')) return undefined;
  // Cheaper than a console of one's own, and nothing else is written here.
  Object.assign(console, { log: console.error, info: console.error, debug: console.error });
  const reader = new StreamMessageReader(process.stdin);
  const writer = new StreamMessageWriter(process.stdout);
  reader.onError((error) => {
    if (error instanceof SyntaxError) return; // of a body: the next message begins where it should
    const [sentence = ''] = error.message.split('\n');
    process.stderr.write(
      `The language server ends, as it cannot make out messages any more: ${sentence}\n`,
      () => process.exit(1),
    );
  });
  for (const over of ['end', 'close']) process.stdin.once(over, () => process.exit(1));
  return { reader, writer };
}
