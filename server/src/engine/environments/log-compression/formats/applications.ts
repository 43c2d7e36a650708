/** Logs of applications: a web framework with stack traces, and cloud services that name their requests. */
import type { Format } from './format.ts';
import { address, hex, host, noun, path, service, typeName } from './words.ts';

/** A Java web framework: level, process, thread and logger, then causes and frames. */
export const spring: Format = {
  id: 'spring',
  errors: [
    (s) =>
      `ERROR ${s.between(11, 99)} --- [exec-${s.between(1, 9)}] c.e.${service(s)}.Api : Servlet.service() threw exception, ${noun(s)} not written`,
    (s) =>
      `FATAL ${s.between(11, 99)} --- [main] o.s.boot.SpringApplication : run failed, bean '${noun(s)}Store' is missing`,
    (s) =>
      `java.lang.IllegalStateException: ${noun(s)} queue of ${service(s)} was closed while ${s.between(2, 90)} entries waited`,
    (s) => `Caused by: java.net.ConnectException: Connection refused: ${service(s)}/${address(s)}:5432`,
    (s) =>
      `org.postgresql.util.PSQLException: FATAL: remaining slots of "${service(s)}" are reserved for ${noun(s)}`,
    (s) =>
      `com.example.${service(s)}.${typeName(s)}Exception: no ${noun(s)} with number ${s.between(1000, 9999)}`,
  ],
  noise: [
    (s) => frame(service(s), `${typeName(s)}Store`, s.between(20, 400)),
    (s) => `\tat org.spring.web.Dispatcher.run(Dispatcher.java:${s.between(100, 999)})`,
    (s) => `\t... ${s.between(11, 60)} more`,
    (s) =>
      `DEBUG ${s.between(11, 99)} --- [exec-${s.between(1, 9)}] o.h.SQL : select * from ${noun(s)} where id=${s.below(99999)}`,
    (s) => `TRACE ${s.between(11, 99)} --- [pool-2] c.e.cache : cache hit key=${hex(s, 7)}`,
  ],
  neutral: [
    (s) =>
      `INFO ${s.between(11, 99)} --- [main] c.e.${service(s)}.App : started in ${s.between(2, 19)}.${s.below(10)} seconds`,
    (s) =>
      `INFO ${s.between(11, 99)} --- [exec-${s.between(1, 9)}] c.e.${service(s)}.Api : ${noun(s)} ${s.between(1000, 9999)} accepted`,
    (s) =>
      `WARN ${s.between(11, 99)} --- [pool-2] c.z.hikari : ${noun(s)} pool is ${s.between(80, 99)} % full`,
    (s) => `Tomcat initialized with port ${s.between(8000, 8999)}`,
    (s) => `Migrating schema "${service(s)}" to version ${s.between(10, 90)}`,
  ],
  decoys: [(s) => `Mapped error page of ${service(s)} to /${noun(s)}`],
};

/** A frame of a stack trace. */
export function frame(owner: string, type: string, line: number): string {
  return `\tat com.example.${owner}.${type}.load(${type}.java:${line})`;
}

/** Cloud services: the module that speaks, a level, a message. */
export const openstack: Format = {
  id: 'openstack',
  errors: [
    (s) =>
      `nova.compute.manager ERROR [instance: ${hex(s, 7)}] Instance failed to spawn: no ${noun(s)} image in store`,
    (s) =>
      `neutron.agent.l3 ERROR Failed to process router ${hex(s, 7)}: port of ${service(s)} has no fixed address`,
    (s) => `oslo.messaging ERROR AMQP server on ${address(s)}:5672 is unreachable: timed out`,
    (s) => `keystone.auth CRITICAL Token of project ${service(s)} was denied: unknown key ${hex(s, 6)}`,
    (s) =>
      `cinder.volume ERROR Volume ${noun(s)}-${hex(s, 4)} cannot be detached from ${host(s)}: still in use`,
    (s) => `glance.store ERROR Upload of ${path(s)}.img aborted: ${s.between(2, 90)} GB exceed the quota`,
    (s) => `TimeoutError: ${service(s)} did not answer within ${s.between(5, 60)} s`,
  ],
  noise: [
    (s) => `nova.api DEBUG GET /v2.1/servers/${hex(s, 7)} status: 200 len: ${s.below(9000)}`,
    (s) => `oslo.service DEBUG periodic task heartbeat ran in 0.${s.below(999)} s`,
    (s) => `neutron.wsgi DEBUG GET /v2.0/ports?device=${hex(s, 6)} 200 time: 0.${s.below(999)}`,
    (s) => `cinder.scheduler DEBUG cache miss for capabilities of ${host(s)}`,
    (s) => `GET /${noun(s)} 200 ${s.below(90)}ms`,
  ],
  neutral: [
    (s) => `nova.scheduler INFO chose ${host(s)} for a server with ${s.between(1, 16)} cores`,
    (s) => `neutron.agent.dhcp INFO lease for ${address(s)} was renewed`,
    (s) => `cinder.backup WARNING ${noun(s)} backup is ${s.between(2, 30)} days old`,
    (s) => `keystone.auth INFO project ${service(s)} signed in`,
    (s) => `glance.api INFO image ${path(s)} is active`,
  ],
  decoys: [(s) => `nova.compute.manager INFO no failed migrations on ${host(s)}`],
};
