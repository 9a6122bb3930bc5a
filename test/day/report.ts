import { endpoints } from '../../src/api.ts'
import type { AuditResult } from './audit/audited.ts'
import { memoryOf } from './audit/processes.ts'
import type { Installation } from './installation.ts'
import type { Requests } from './requests.ts'
import type { Samples } from './samples.ts'

const clock = (at: number) => new Date(at).toISOString().slice(11, 19)

export function report(
  day: Installation,
  requests: Requests,
  samples: Samples,
  verdicts: readonly AuditResult[],
): string {
  const lines: string[] = ['', 'Requests by endpoint and status']
  for (const { name } of endpoints) {
    const counts = [...(requests.counts.get(name) ?? [])].sort(([one], [other]) => one - other)
    lines.push(
      `  ${name.padEnd(30)} ${counts.map(([status, count]) => `${status}: ${count}`).join('   ') || 'never'}`,
    )
  }
  const all = [...requests.counts.values()]
    .flatMap((each) => [...each.values()])
    .reduce((sum, count) => sum + count, 0)
  const { creations, writes, reads } = requests.ledger
  lines.push(
    '',
    `  ${all} answers; ${requests.refused.length} times 503, ${requests.broken.length} broken connections, ${requests.limited} times 429, ${requests.replays} replays compared`,
    `  ${requests.actors.length} orgs, ${creations.length} creations (${creations.filter(({ id }) => id !== null).length} acknowledged), ${[...writes.values()].reduce((sum, each) => sum + each.length, 0)} values written in ${writes.size} fields, ${reads.length} reads compared`,
    '',
    'Outages',
  )
  for (const { what, from, until } of day.outages)
    lines.push(`  ${clock(from)}  ${what.padEnd(24)} ${((until - from) / 1000).toFixed(1)} s`)
  for (const { name, code, inFlight, ms, load } of day.stopped)
    lines.push(
      `  ${name} got SIGTERM while ${inFlight} requests ran: code ${code} after ${ms} ms, at a load of ${load.toFixed(1)}`,
    )
  lines.push('', 'Memory of processes that ran for 3 minutes (in the last half of that time)')
  for (const { name, minutes, slope, from, to } of memoryOf(samples))
    lines.push(
      `  ${name.padEnd(8)} ${minutes.toFixed(1)} min   ${from.toFixed(0)} → ${to.toFixed(0)} MiB   ${slope.toFixed(2)} MiB a minute`,
    )
  const totals = samples.connections.map(({ total }) => total)
  lines.push(`  connections to PostgreSQL: ${Math.min(...totals)} to ${Math.max(...totals)}`, '', 'Verdicts')
  for (const { name, checked, findings } of verdicts) {
    lines.push(
      `  ${findings.length === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(48)} ${String(checked).padStart(8)} checked, ${findings.length} wrong`,
    )
    for (const finding of findings.slice(0, 8)) lines.push(`          ${finding.slice(0, 600)}`)
  }
  return lines.join('\n')
}
