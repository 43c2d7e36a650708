#!/usr/bin/env node
/** The command `hopscope`. */
import { main } from './cli/main.ts';

await main(process.argv);
