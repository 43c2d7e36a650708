/** What package.json promises about folders that are not trusted: nothing in them makes us send, run or write. */
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations?: readonly string[];
    };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly configuration: { readonly properties: object };
  };
}

const { capabilities, contributes }: Manifest = manifest;
const { supported, restrictedConfigurations = [] } = capabilities.untrustedWorkspaces;

test('language features work in them', () => expect(supported).toBe('limited'));

test('settings that say where to send or what to run are not taken from them', () => {
  const settings = Object.keys(contributes.configuration.properties);
  const telling = settings.filter((name) =>
    /url|endpoint|address|header|command|executable|path/i.test(name),
  );
  expect(telling.filter((name) => !restrictedConfigurations.includes(name))).toEqual([]);
  expect(restrictedConfigurations.filter((name) => !settings.includes(name))).toEqual([]);
});

test('commands that ask models, play or write are off in them', () => {
  const acting = contributes.commands.filter(({ command }) =>
    /\.(?:run(?!s)|eval|resume|export|ask|send)/.test(command),
  );
  const free = acting.filter(({ enablement }) => !enablement?.includes('isWorkspaceTrusted'));
  expect(free.map(({ command }) => command)).toEqual([]);
});
