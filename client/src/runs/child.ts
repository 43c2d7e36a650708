/**
 * The headless command as a child process. Everything long or costly happens there and never in the extension host; what
 * comes back are lines of JSON. It ends when this process does, since its standard input ends then.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** Where requests go, and with which key. */
export interface ChildEndpoint {
  readonly baseUrl: string;
  /** Undefined for an endpoint that wants none. */
  readonly key: string | undefined;
}

export interface ChildChoice {
  /** Absolute path of the bundled command. */
  readonly script: string;
  /** Never holds a key: other people on the machine can read arguments. */
  readonly args: readonly string[];
  /** Folder that relative paths are meant from. */
  readonly cwd: string;
  readonly endpoint: ChildEndpoint | undefined;
  /** Further variables of the child. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Receives each line of standard output that is a JSON object. */
  readonly line: (value: Readonly<Record<string, unknown>>) => void;
}

export interface ChildEnd {
  /** Null when it was killed. */
  readonly code: number | null;
  /** What it said to a person, the last sentences of it. */
  readonly notes: readonly string[];
}

export interface Child {
  readonly end: Promise<ChildEnd>;
  /** Lets what is under way come back for a moment, then ends it; it is gone within a second or little more. */
  stop(): void;
  /** Lets go of it: it puts away what it has and ends, whether or not this process is still there. */
  leave(): void;
  /** Ends it at once, without a word. */
  kill(): void;
}

/** Ms after the wish to stop until nothing is waited for any more, and until the process is killed. */
const patience = { requests: 400, process: 2500 };

/** Sentences kept of what a child says. */
const keptNotes = 20;

/** Starts the command. Never throws: a process that does not start ends with a note. */
export function startChild({ script, args, cwd, endpoint, variables, line }: ChildChoice): Child {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...childVariables(process.env, endpoint), ...variables },
    windowsHide: true,
  });
  const notes: string[] = [];
  readLines(child.stdout, (text) => {
    const value = parseObject(text);
    if (value) line(value);
  });
  readLines(child.stderr, (text) => {
    if (text.trim() === '') return;
    notes.push(text);
    if (notes.length > keptNotes) notes.shift();
  });
  child.stdin.on('error', () => undefined); // it may be gone before its input is ended
  const timers: NodeJS.Timeout[] = [];
  const end = new Promise<ChildEnd>((resolve) => {
    const finish = (code: number | null) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ code, notes });
    };
    child.on('error', (error) => {
      notes.push(`The command could not be started: ${error.message}.`);
      finish(null);
    });
    child.on('close', finish);
  });
  return {
    end,
    stop() {
      interrupt(child);
      timers.push(
        setTimeout(() => child.stdin.end(), patience.requests),
        setTimeout(() => child.kill('SIGKILL'), patience.process),
      );
    },
    leave: () => void child.stdin.end(),
    kill() {
      child.stdin.end();
      child.kill('SIGKILL');
    },
  };
}

/** Windows knows no polite signal: there the end of its input is what stops it. */
function interrupt(child: ChildProcessWithoutNullStreams): void {
  if (process.platform !== 'win32') child.kill('SIGINT');
}

/**
 * The variables of a child. Keys that happen to be in the editor's own environment are left out: the person chose keys in
 * the editor, and no other one is to be spent. So is whatever would change how Node starts.
 */
export function childVariables(
  own: NodeJS.ProcessEnv,
  endpoint: ChildEndpoint | undefined,
): NodeJS.ProcessEnv {
  const kept = Object.entries(own).filter(
    ([name]) => !/^(?:HOPSCOPE_|OPENAI_|ELECTRON_|VSCODE_|NODE_OPTIONS$|NODE_V8_COVERAGE$)/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    ELECTRON_RUN_AS_NODE: '1',
    NO_COLOR: '1',
    // The key is bound to this address, wherever else a request might go.
    ...(endpoint === undefined ? {} : { HOPSCOPE_BASE_URL: endpoint.baseUrl }),
    ...(endpoint?.key === undefined ? {} : { HOPSCOPE_API_KEY: endpoint.key }),
  };
}

function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  stream.on('end', () => take(rest));
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
