// Draws icon.png, which the Marketplace wants as 128 px PNG, from icon.svg: `node client/media/icon.mjs`.
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../../test/rig/vscode-server.mjs';

const svg = fs.readFileSync(path.join(import.meta.dirname, 'icon.svg'), 'utf8');
const browser = await chromium.launch(CHROMIUM);
const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
await page.setContent(`<body style="margin: 0">${svg}</body>`);
await page.screenshot({ path: path.join(import.meta.dirname, 'icon.png'), omitBackground: true });
await browser.close();
