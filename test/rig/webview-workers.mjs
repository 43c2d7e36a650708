/** Service workers of the pages inside of a workbench. */

/**
 * Call when all pages inside of the workbench have been closed, before another one is opened.
 *
 * In VS Code every such page has an origin of its own and brings its own service worker there. A server of one's own has one
 * origin for all, so that each page has to replace the worker of the page before it: a second for the browser to end the old
 * one, and now and then it takes many, or never comes to that, and the page stays empty. So the worker goes with its page,
 * which leaves to the next one what it would find in VS Code.
 *
 * @param {import('playwright-core').Page} page of the workbench
 */
export async function forgetWorkers(page) {
  // A text, since the types here are those of Node.
  await page.evaluate(`navigator.serviceWorker
    .getRegistrations()
    .then((all) => Promise.all(all.map((worker) => worker.unregister())))`);
}
