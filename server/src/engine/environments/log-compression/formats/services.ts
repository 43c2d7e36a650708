/** Logs of what runs on servers: web server, service manager, cluster components. */
import type { Format } from './format.ts';
import { address, hex, host, noun, path, service, typeName } from './words.ts';

/** Error lines of nginx next to access lines. */
export const nginx: Format = {
  id: 'nginx',
  errors: [
    (s) =>
      `[error] ${worker(s.between(20, 99))}: connect() failed (111: Connection refused), upstream: "http://${address(s)}/${noun(s)}"`,
    (s) =>
      `[crit] ${worker(s.between(20, 99))}: open() "/srv/${path(s)}.html" failed (13: Permission denied), server: ${service(s)}.example`,
    (s) =>
      `[alert] ${worker(s.between(20, 99))}: worker process ${s.between(300, 999)} exited on signal 9, zone "${noun(s)}" lost`,
    (s) => `[emerg] cannot load certificate "/etc/tls/${service(s)}.pem": PEM_read_bio() failed`,
    (s) => `upstream timed out (110) while reading response header, upstream: "http://${address(s)}:9000"`,
    (s) => `no live upstreams: error while connecting, upstream: "${service(s)}-pool"`,
  ],
  noise: [
    (s) => `${address(s)} - - "GET /${noun(s)}/${s.below(9999)} HTTP/1.1" 200 ${s.below(9000)} "-"`,
    (s) => `${address(s)} - - "POST /api/${noun(s)} HTTP/1.1" 201 ${s.below(900)} "-"`,
    (s) => `${address(s)} - - "GET /static/${hex(s, 6)}.css HTTP/1.1" 304 0 "-"`,
    (s) => `[debug] ${worker(s.between(20, 99))}: http keepalive handler, *${s.below(99999)}`,
    () => '"GET /healthz HTTP/1.1" 200 2 "probe"',
  ],
  neutral: [
    (s) => `[notice] gracefully shutting down worker ${s.between(20, 999)}`,
    (s) => `using the "${s.pick(['epoll', 'poll', 'kqueue'])}" event method`,
    (s) => `[warn] a client request body is buffered to a temporary file, ${noun(s)} upload`,
    (s) => `reopening logs for ${service(s)}.example`,
    (s) => `${noun(s)} zone resized to ${s.between(2, 64)}m`,
  ],
  decoys: [(s) => `[notice] error_log of ${service(s)}.example was rotated`],
};

function worker(pid: number): string {
  return `${pid}#${pid}`;
}

/** A service manager that restarts what falls over, again and again. */
export const systemd: Format = {
  id: 'systemd',
  errors: [
    (s) =>
      `${host(s)} systemd[1]: ${service(s)}.service: Main process exited, code=exited, status=203/FAILURE`,
    (s) =>
      `${service(s)}.service: Failed with result '${s.pick(['exit-code', 'signal', 'timeout', 'watchdog'])}'.`,
    (s) => `${service(s)}[${s.between(200, 999)}]: fatal: cannot bind ${address(s)}:443, address in use`,
    (s) =>
      `kernel: Out of memory: Killed process ${s.between(2000, 9999)} (${service(s)}), oom_score ${s.below(999)}`,
    (s) =>
      `${noun(s)}-sync[${s.between(200, 999)}]: error: lock file /run/${noun(s)}.lock held by another run`,
    (s) => `sshd[${s.between(200, 999)}]: error: kex protocol mismatch, peer ${address(s)} refused`,
  ],
  noise: [
    (s) => `systemd[1]: Started ${noun(s)}-${s.below(999)}.scope.`,
    (s) => `systemd[1]: ${service(s)}.service: Scheduled restart job, counter is at ${s.between(2, 99)}.`,
    (s) => `systemd[1]: Reached target ${noun(s)}.target.`,
    (s) => `${service(s)}[${s.between(200, 999)}]: heartbeat ok seq=${s.below(99999)}`,
    (s) => `cron[${s.between(200, 999)}]: (root) CMD (/usr/lib/${noun(s)}/collect)`,
  ],
  neutral: [
    (s) => `${host(s)} ${service(s)}[${s.between(200, 999)}]: listening on port ${s.between(3000, 9000)}`,
    (s) => `systemd-resolved[311]: using server ${address(s)} for ${service(s)}`,
    (s) => `chronyd[402]: selected source ${address(s)}`,
    (s) =>
      `${service(s)}[${s.between(200, 999)}]: configuration reloaded from /etc/${service(s)}/${noun(s)}.conf`,
    (s) => `udisksd[518]: mounted /dev/sd${s.pick(['b', 'c', 'd'])}1 at /media/${noun(s)}`,
  ],
  decoys: [(s) => `systemd[1]: reset failed state of ${service(s)}.service on request`],
};

/** Components of a cluster, each line with the source it comes from. */
export const klog: Format = {
  id: 'klog',
  errors: [
    (s) =>
      `${s.between(40, 99)}518 reflector.go:${s.between(120, 340)}] Failed to watch *v1.${typeName(s)}: the server was unable to respond`,
    (s) =>
      `kubelet[${s.between(600, 980)}]: pod_workers.go:${s.between(120, 340)}] "Error syncing pod, skipping" pod="${service(s)}-${hex(s, 5)}"`,
    (s) =>
      `${s.between(10, 39)}204 kuberuntime_manager.go:${s.between(400, 999)}] container ${service(s)} start failed: CrashLoopBackOff`,
    (s) =>
      `scheduler[${s.between(600, 980)}]: binding rejected: error 409, ${typeName(s)} "${noun(s)}-${hex(s, 4)}" changed meanwhile`,
    (s) => `etcd[${s.between(600, 980)}]: server.go:${s.between(20, 90)}] lease ${hex(s, 7)} renewal refused`,
    (s) => `proxy[${s.between(600, 980)}]: cannot sync ${noun(s)} rules: iptables-restore: exit status 4`,
  ],
  noise: [
    (s) =>
      `reflector.go:${s.between(120, 340)}] DEBUG forcing resync of *v1.${typeName(s)}, rv=${s.below(999999)}`,
    (s) => `httplog.go:${s.between(40, 99)}] "HTTP" verb="GET" URI="/readyz" latency="${s.below(999)}us" 200`,
    (s) => `prober.go:${s.between(90, 130)}] health probe ok pod=${service(s)}-${hex(s, 5)}`,
    (s) => `leaderelection heartbeat holder=${host(s)} rev=${s.below(99999)}`,
    (s) => `trace[${s.below(999999)}]: list of ${noun(s)} objects ${s.below(900)}ms`,
  ],
  neutral: [
    (s) => `controller.go:${s.between(100, 300)}] caches populated for ${typeName(s)}`,
    (s) => `node ${host(s)} status is now Ready`,
    (s) => `scaled up replica set ${service(s)}-${hex(s, 5)} to ${s.between(2, 9)}`,
    (s) => `image ${service(s)}:${s.between(1, 9)}.${s.below(20)} is already present on ${host(s)}`,
    (s) => `volume ${noun(s)}-data attached to ${host(s)}`,
  ],
  decoys: [(s) => `node ${host(s)} reports 0 failed pods`],
};
