/** Endpoints that are worth a name: servers that run on one's own machine, and the one everybody knows. */
export interface Preset {
  /** As on the command line, e.g. `ollama`. */
  readonly id: string;
  readonly title: string;
  /** Where the server listens unless it was told otherwise. */
  readonly baseUrl: string;
  readonly needsKey: boolean;
  /** One sentence: how to get it to answer. */
  readonly hint: string;
}

export const presets: readonly Preset[] = [
  {
    id: 'ollama',
    title: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    needsKey: false,
    hint: 'Start it with "ollama serve" and fetch a model with "ollama pull NAME".',
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    needsKey: false,
    hint: 'Load a model and start the server in its Developer tab, or with "lms server start".',
  },
  {
    id: 'llama.cpp',
    title: 'llama.cpp server',
    baseUrl: 'http://localhost:8080/v1',
    needsKey: false,
    hint: 'Start it with "llama-server -m MODEL.gguf".',
  },
  {
    id: 'vllm',
    title: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    needsKey: false,
    hint: 'Start it with "vllm serve MODEL".',
  },
  {
    id: 'openai',
    title: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    hint: 'Set an API key.',
  },
];

/** The preset of that id; undefined when there is none. */
export function findPreset(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}

/** The preset whose endpoint this is; undefined for others. */
export function presetAt(baseUrl: string): Preset | undefined {
  return presets.find((preset) => preset.baseUrl === baseUrl);
}
