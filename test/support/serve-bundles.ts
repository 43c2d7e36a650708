/** Around all test files of a run: makes a bundle when the first one asks for it, and gives it to the others too. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { Bundles, serviceVariable } from './bundles.ts';

export default async function serveBundles(project: TestProject): Promise<() => Promise<void>> {
  const bundles = new Bundles();
  project.onTestsRerun(async () => bundles.forget());
  const server = createServer((request, response) => {
    bundles.make((request.url ?? '/').slice(1).split(',')).then(
      (folder) => response.end(folder),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[serviceVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    delete process.env[serviceVariable];
    server.closeAllConnections();
    server.close();
    bundles.remove();
  };
}
