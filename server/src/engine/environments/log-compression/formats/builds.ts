/** Logs of builds: package manager, two compilers' drivers, container images. */
import { frame } from './applications.ts';
import type { Format } from './format.ts';
import { hex, noun, path, service, typeName } from './words.ts';

/** A package manager's debug log. */
export const npm: Format = {
  id: 'npm',
  errors: [
    (s) => `error code E${s.pick([401, 403, 404, 409])} while fetching @${service(s)}/${noun(s)}`,
    (s) =>
      `npm ERR! ERESOLVE unable to resolve peer ${noun(s)}@"^${s.between(2, 19)}.0.0" of ${service(s)}-ui`,
    (s) => `verbose stack Error: command sh -c node build/${noun(s)}.js failed with code ${s.between(1, 7)}`,
    (s) => `gyp ERR! build error in ${service(s)}-native: make exited with ${s.between(1, 7)}`,
    (s) => `SyntaxError: unexpected token in node_modules/${service(s)}/${noun(s)}.json`,
    (s) => `Error: cannot find module './${path(s)}'`,
  ],
  noise: [
    (s) =>
      `http fetch GET 200 https://packages.example/${noun(s)}-${s.below(99)} ${s.below(900)}ms (cache hit)`,
    (s) =>
      `silly placeDep node_modules ${noun(s)}@${s.below(9)}.${s.below(20)}.${s.below(9)} OK for: ${service(s)}`,
    (s) => `timing reify:loadTrees Completed in ${s.below(900)}ms`,
    (s) => `npm WARN deprecated ${noun(s)}@${s.below(4)}.${s.below(9)}.0: use ${service(s)}-${noun(s)}`,
    (s) => `verbose cache tarball ${hex(s, 7)} of ${noun(s)}`,
  ],
  neutral: [
    (s) => `info using node@v20.${s.below(20)}.${s.below(9)}`,
    (s) => `info run ${service(s)}@${s.below(9)}.1.0 postinstall`,
    (s) => `notice created a lockfile for ${service(s)}`,
    (s) => `added ${s.between(20, 900)} packages in ${s.between(2, 60)}s`,
    (s) => `warn ${noun(s)} has no license field`,
  ],
  decoys: [(s) => `found 0 errors in ${service(s)}`],
};

/** A compiler driver with codes, arrows and gutters. */
export const cargo: Format = {
  id: 'cargo',
  errors: [
    (s) => `error[E0308]: mismatched types in src/${path(s)}.rs:${s.between(10, 400)}:${s.between(1, 40)}`,
    (s) => `error[E0425]: cannot find function \`load_${noun(s)}\` in this scope`,
    (s) => `error[E0502]: cannot borrow \`${noun(s)}\` as mutable, src/${path(s)}.rs:${s.between(10, 400)}`,
    (s) => `error: could not compile \`${service(s)}\` (lib) due to ${s.between(2, 9)} previous errors`,
    (s) => `thread 'main' panicked at src/${path(s)}.rs:${s.between(10, 400)}: index out of bounds`,
    (s) => `ld: fatal: symbol ${noun(s)}_init referenced from lib${service(s)}.a is undefined`,
  ],
  noise: [
    (s) => `   Compiling ${service(s)}-${noun(s)} v${s.below(4)}.${s.below(30)}.${s.below(9)}`,
    (s) => `  Downloaded ${service(s)}-${noun(s)} v${s.below(4)}.${s.below(30)}.${s.below(9)}`,
    (s) => `    Checking ${service(s)} v0.${s.below(30)}.${s.below(9)}`,
    (s) => `       Fresh ${service(s)}-${noun(s)}-sys v${s.below(4)}.0.${s.below(9)}`,
    (s) => `DEBUG rustc_interface::passes ${path(s)}.rs ${hex(s, 6)} took ${s.below(900)}us`,
  ],
  neutral: [
    (s) => `--> src/${path(s)}.rs:${s.between(10, 400)}:${s.between(1, 40)}`,
    (s) => `= note: expected type \`${typeName(s)}\` because of this bound`,
    (s) => `warning: unused variable: \`${noun(s)}\``,
    (s) => `Updating index of ${service(s)} packages`,
    (s) => `note: run with RUST_BACKTRACE=1 to see where ${noun(s)} comes from`,
  ],
  decoys: [(s) => `note: ${noun(s)} checks passed with 0 errors`],
};

/** A task runner with a failure block and long stack traces. */
export const gradle: Format = {
  id: 'gradle',
  errors: [
    (s) => `> Task :${service(s)}:compile${typeName(s)} FAILED`,
    (s) => `Execution failed for task ':${service(s)}:${noun(s)}Test'.`,
    (s) =>
      `e: file:///src/${path(s)}.kt:${s.between(10, 400)}:${s.between(1, 40)} error: unresolved reference: ${noun(s)}`,
    (s) => `FAILURE: Build of ${service(s)} failed with an exception.`,
    (s) => `org.gradle.api.GradleException: cannot resolve ${service(s)}:${noun(s)}:${s.between(1, 9)}.0`,
    (s) => `${typeName(s)}Test > keeps${typeName(s)}() FAILED`,
  ],
  noise: [
    (s) => `> Task :${service(s)}:process${typeName(s)} UP-TO-DATE`,
    (s) => `> Task :${service(s)}:${noun(s)}Classes NO-SOURCE`,
    (s) => frame(service(s), `${typeName(s)}Task`, s.between(20, 400)),
    (s) => `\t... ${s.between(11, 60)} more`,
    (s) => `Download https://packages.example/${service(s)}/${noun(s)}-${s.between(1, 9)}.pom`,
  ],
  neutral: [
    (s) => `* What went wrong in ${service(s)}:`,
    (s) => `> Task :${service(s)}:${noun(s)}Jar`,
    (s) => `Starting a daemon, ${s.between(1, 4)} busy and ${s.between(1, 4)} stopped ones are left alone`,
    (s) => `${s.between(8, 90)} actionable tasks: ${s.between(1, 7)} executed`,
    (s) => `Configuration of ${service(s)} was read from ${noun(s)}.toml`,
  ],
  decoys: [(s) => `${service(s)}: ${s.between(10, 90)} tests completed, 0 failed`],
};

/** Steps of an image build, interleaved, with times. */
export const docker: Format = {
  id: 'docker',
  errors: [
    (s) =>
      `#${s.between(10, 19)} ERROR: process "/bin/sh -c make ${noun(s)}" did not complete successfully: exit code: ${s.between(1, 9)}`,
    (s) => `ERROR: failed to solve: ${service(s)}-base:${s.between(1, 9)} not found`,
    (s) => `Dockerfile:${s.between(10, 60)}: error: unknown instruction ${noun(s).toUpperCase()}`,
    (s) => `failed to compute cache key: "/${path(s)}" is not in the context`,
    (s) => `E: cannot locate package lib${noun(s)}-dev`,
    (s) => `denied: access to ${service(s)}/${noun(s)} was refused by the store`,
  ],
  noise: [
    (s) =>
      `#${s.between(4, 9)} ${s.between(0, 9)}.${s.between(100, 999)} Get:${s.below(99)} lib${noun(s)} amd64`,
    (s) => `#${s.between(4, 9)} CACHED`,
    (s) => `#${s.between(4, 9)} sha256:${hex(s, 7)}${hex(s, 4)} ${s.below(90)}.${s.below(9)}MB / 90.4MB`,
    (s) => `#${s.between(4, 9)} DONE ${s.below(9)}.${s.below(9)}s`,
    (s) => `#${s.between(4, 9)} transferring context: ${s.below(900)}.${s.below(99)}kB`,
  ],
  neutral: [
    (s) => `#${s.between(20, 29)} [${service(s)} ${s.between(2, 4)}/9] COPY ${path(s)} .`,
    (s) => `>>> RUN make ${noun(s)}`,
    (s) => `#${s.between(20, 29)} [stage-1] FROM ${service(s)}-base:${s.between(1, 9)}`,
    (s) => `WORKDIR /srv/${service(s)} created`,
    (s) => `naming to ${service(s)}/${noun(s)}:${s.between(1, 9)}`,
  ],
  decoys: [(s) => `#${s.between(20, 29)} [${service(s)} ${s.between(2, 4)}/9] COPY errors/${noun(s)}.html .`],
};
