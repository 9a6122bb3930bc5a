import { availableParallelism } from 'node:os'
import type { Installation } from '../installation.ts'
import type { RequestAttempt, Requests } from '../requests.ts'
import type { Samples } from '../samples.ts'
import type { AuditResult } from './audited.ts'

// How long a process can be affected after the end of an outage, in milliseconds.
const afterMs = 6_000
const steepMiBPerMinute = 10

type Day = Pick<Installation, 'outages' | 'lines' | 'stopped' | 'addressOf'>
type Tries = Pick<Requests, 'refused' | 'broken'>
type Held = Pick<Samples, 'memory' | 'connections'>

export function auditProcesses(day: Day, requests: Tries, samples: Held): AuditResult[] {
  const within = (at: number, after = afterMs) =>
    day.outages.some(({ from, until }) => at >= from - 500 && at <= until + after)
  const tries = (name: string, all: readonly RequestAttempt[]): AuditResult => ({
    ...{ name, checked: all.length },
    findings: all
      .filter(({ at }) => !within(at))
      .map(({ at, endpoint, what }) => `${new Date(at).toISOString()} ${endpoint}: ${what.slice(0, 200)}`),
  })
  const errors = day.lines.filter(({ level }) => level === 'error' || level === 'fatal')
  const loud = day.lines.filter(
    ({ level, text }) =>
      /unhandled|uncaught/i.test(text) || (level === 'plain' && /\bat .+:\d+:\d+/.test(text)),
  )
  const answer = ({ at, process, text }: (typeof day.lines)[number]) =>
    `${new Date(at).toISOString()} ${process} ${text.slice(0, 400)}`
  return [
    tries('503 only while something is away', requests.refused),
    tries('connections break only during outages', requests.broken),
    {
      ...{ name: 'the logs have errors only during outages', checked: errors.length },
      findings: errors.filter(({ at }) => !within(at)).map(answer),
    },
    { name: 'the logs have no unhandled errors', checked: day.lines.length, findings: loud.map(answer) },
    auditStops(day, requests),
    auditMemory(samples),
    auditConnections(samples),
  ]
}

/** Checks that each process that got SIGTERM ended, and answered all requests that it had begun. */
function auditStops(day: Day, requests: Tries): AuditResult {
  const findings = day.stopped
    .filter(({ code, ms, load }) => code !== 0 || ms > 10_500 * Math.max(1, load / availableParallelism()))
    .map(({ name, code, ms }) => `${name} ended with ${code} after ${ms} ms`)
  const stops = day.outages.filter(({ what }) => what.startsWith('SIGTERM api'))
  for (const { what, from } of stops) {
    const address = day.addressOf(what.endsWith('1') ? 'api-1' : 'api-2')
    // Count requests that arrived 10 ms or more before the signal.
    const cut = requests.broken.filter(
      (each) =>
        each.address === address && each.sentAt < from - 10 && each.at >= from && each.at < from + 10_000,
    )
    for (const { endpoint, what: why } of cut) findings.push(`${endpoint} was cut off by SIGTERM: ${why}`)
  }
  return {
    name: 'a process answers all requests before SIGTERM ends it',
    checked: day.stopped.length,
    findings,
  }
}

/** The slope of a line through the points, in MiB a minute. */
export function slope(points: readonly { at: number; mib: number }[]): number {
  const n = points.length
  const mean = (of: (point: { at: number; mib: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / n
  const [at, mib] = [mean((point) => point.at), mean((point) => point.mib)]
  const over = points.reduce((sum, point) => sum + (point.at - at) * (point.mib - mib), 0)
  const under = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  return under === 0 ? 0 : (over / under) * 60_000
}

/** The second half of each process's samples, if it ran for three minutes or more. */
export function memoryOf(
  samples: Held,
): { name: string; pid: number; minutes: number; slope: number; from: number; to: number }[] {
  return [...Map.groupBy(samples.memory, ({ pid }) => pid).values()].flatMap((all) => {
    const [first, last] = [all[0]!, all.at(-1)!]
    const minutes = (last.at - first.at) / 60_000
    if (minutes < 3) return []
    const half = all.filter(({ at }) => at > (first.at + last.at) / 2)
    return [
      { name: first.name, pid: first.pid, minutes, slope: slope(half), from: half[0]!.mib, to: last.mib },
    ]
  })
}

function auditMemory(samples: Held): AuditResult {
  const lives = memoryOf(samples)
  const findings = lives
    .filter((life) => life.slope > steepMiBPerMinute)
    .map(
      ({ name, pid, minutes, slope }) =>
        `${name} (${pid}) grew by ${slope.toFixed(1)} MiB a minute in the last half of ${minutes.toFixed(1)} minutes`,
    )
  return { name: 'memory does not grow', checked: lives.length, findings }
}

function auditConnections(samples: Held): AuditResult {
  const { connections } = samples
  const mean = (part: typeof connections) =>
    part.reduce((sum, { total }) => sum + total, 0) / Math.max(part.length, 1)
  const quarter = Math.floor(connections.length / 4)
  const [early, late] = [mean(connections.slice(quarter, 2 * quarter)), mean(connections.slice(3 * quarter))]
  const findings = connections
    .filter(({ idleInTransaction }) => idleInTransaction > 0)
    .map(
      ({ at, idleInTransaction }) =>
        `${new Date(at).toISOString()} ${idleInTransaction} idle in transaction for 10 seconds`,
    )
  if (quarter > 5 && late > early * 1.25 + 4)
    findings.push(`connections rose from ${early.toFixed(1)} to ${late.toFixed(1)}`)
  return { name: 'the number of connections does not grow', checked: connections.length, findings }
}
