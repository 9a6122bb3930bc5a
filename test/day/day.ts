// A day in ten minutes. Several processes have mixed traffic on every endpoint, while processes and the database are
// killed. At the end, an audit compares all answers with the database.   DAY_MINUTES=10 npm run test:day
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '../../src/api.ts'
import { command } from '../support/processes.ts'
import { ActorClient } from './actions/action.ts'
import { addClient } from './actions/keys.ts'
import { audit } from './audit/audit.ts'
import type { Audited, AuditResult } from './audit/audited.ts'
import { auditProcesses } from './audit/processes.ts'
import { Installation } from './installation.ts'
import { Ledger } from './ledger.ts'
import { newActor } from './orgs.ts'
import { injectOutages } from './outages.ts'
import { report } from './report.ts'
import { Requests } from './requests.ts'
import { Samples } from './samples.ts'
import { DayStandIns } from './stand-ins.ts'
import { traffic } from './traffic.ts'

const minutes = Number(process.env.DAY_MINUTES ?? 10)
const atOnce = Number(process.env.DAY_AT_ONCE ?? 12)
const orgs = Number(process.env.DAY_ORGS ?? 20)
const agencies = 2
const drainMs = 240_000

const outside = await DayStandIns.start()
const day = await Installation.start(outside.settings)
const requests = new Requests(day.addresses, new Ledger())
const samples = new Samples(day)
try {
  // The last organization that is not an agency has a low rate limit, which it reaches.
  for (let org = agencies; org < orgs; org++)
    requests.join(await newActor(day.database, { perSecond: org === orgs - 1 ? 10 : null }))
  for (let org = 0; org < agencies; org++) requests.join(await newActor(day.database, { isAgency: true }))
  await outside.equip(requests.actors, requests)
  for (const agency of requests.actors.filter(({ isAgency }) => isAgency))
    await addClient(new ActorClient(agency, requests))
  const stop = new AbortController()
  const audited: Audited = {
    ...{ ledger: requests.ledger, requests, actors: requests.actors },
    rows: (text, values) => day.rows(text, values),
  }
  console.log(`${minutes} minutes with ${requests.actors.length} orgs, ${atOnce} requests at once`)
  const load = traffic(requests, atOnce, stop.signal)
  const outages = injectOutages(day, requests, minutes, stop.signal)
  await delay(minutes * 60_000)
  stop.abort()
  await Promise.all([load, outages])
  console.log('Traffic has ended: waiting for queues')
  const verdicts: AuditResult[] = [...(await audit(audited, drainMs)), ...(await outside.audit(audited))]
  if (minutes >= 5) verdicts.push(everyEndpoint(requests))
  verdicts.push(await views())
  samples.stop()
  verdicts.push(...auditProcesses(day, requests, samples))
  const ends = await day.stop()
  const findings = ends.filter(({ code }) => code !== 0).map(({ name, code }) => `${name} ended with ${code}`)
  verdicts.push({ name: 'all processes end well', checked: ends.length, findings })
  console.log(report(day, requests, samples, verdicts))
  if (verdicts.some((verdict) => verdict.findings.length > 0)) process.exitCode = 1
} finally {
  samples.stop()
  requests.close()
  await day.remove()
  await outside.close()
}

function everyEndpoint({ counts }: Requests): AuditResult {
  const unused = endpoints.filter(
    ({ name }) => ![...(counts.get(name) ?? [])].some(([status]) => status < 300),
  )
  return {
    name: 'every endpoint was used',
    checked: endpoints.length,
    findings: unused.map(({ name }) => name),
  }
}

async function views(): Promise<AuditResult> {
  const { code, stdout, stderr } = await command('doctor --check-merges', day.env)
  const findings = code === 0 ? [] : [`${stdout}\n${stderr}`]
  return { name: 'merged records show what follows from their facts', checked: 1, findings }
}
