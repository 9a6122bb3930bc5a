// Measures every endpoint. A small org and a large one take turns. A bare handler runs the same statements, for
// comparison (bench/RESULTS.md). The large org stays in --folder (data/bench); filling it takes one to three minutes.
//   node bench/endpoints/endpoints.ts [--sizes 1000,1000000] [--only 'GET /contacts,/deals'] [--hot]
//     [--seconds 0.2] [--rounds 3] [--connections 16]
// --hot measures the lists, reads and writes of one record that have a target, and nothing else.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endpoints } from '../../src/api.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { foldTotals } from '../../src/platform/db/fold-totals.ts'
import { system } from '../../src/platform/db/system.ts'
import { createLog } from '../../src/platform/log.ts'
import { recordTotals } from '../../src/records/totals.ts'
import { filledOrg } from '../support/fill.ts'
import { openBench } from '../support/installation.ts'
import { startCapture } from './capture.ts'
import { type Case, recordCases } from './cases.ts'
import { otherCases } from './other-cases.ts'
import { Pools, type Subject } from './subject.ts'
import { prepareSubjects, removeLeftovers } from './subjects.ts'
import { footnotes, heading, type Row, row } from './table.ts'
import { Turns } from './turns.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,1000000' },
    only: { type: 'string', default: '' },
    hot: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '0.2' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    folder: { type: 'string', default: join(projectRoot, 'data/bench') },
  },
})
const startedAt = performance.now()
const say = (text: string) =>
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`)

const cases = [...recordCases, ...otherCases]
/**
 * Rare endpoints, files, endpoints that few requests may use at once, and endpoints that need a member, a visitor or a
 * receiver. bench/tracking/ and bench/webhooks/ measure visitors and receivers.
 */
const notMeasured = [
  /\/organization\/(sandboxes|agencies)|\/agency\/(clients|invitations)|\/voice\/suppressions|\/export$|\/imports\/inspect$/,
  /\/(connected-apps|owners\/\{|bulk-changes|templates\/preview)/,
  /\/visitors\/\{|\/submissions\/\{|\/call-back-requests\/\{|\/forms\/\{form_id\}\/revert|\/identity-secret|\/reports\/funnel/,
  /\/webhooks\/replays|\/endpoints\/\{endpoint_id\}\/(test|replay|events)/,
]
const missing = endpoints
  .map(({ method, path }) => `${method} ${path}`)
  .filter(
    (name) => !(notMeasured.some((rare) => rare.test(name)) || cases.some((each) => each.endpoint === name)),
  )
if (values.only === '' && !values.hot && missing.length > 0)
  say(`${missing.length} endpoints have no case and are not measured: ${missing.join(', ')}`)

/** Whether `--only` and `--hot` name a case, need its objects, or need neither. */
function wanted({ endpoint, hot, makes, gives }: Case): 'measured' | 'made' | 'no' {
  if (values.hot) return hot ? 'measured' : 'no'
  if (values.only === '') return 'measured'
  const names = values.only.split(',')
  if (names.some((name) => (name.includes(' ') ? endpoint === name : endpoint.includes(name))))
    return 'measured'
  return makes || gives ? 'made' : 'no'
}

const bench = await openBench(values.folder)
let stopFolding: (() => Promise<void>) | undefined
try {
  await removeLeftovers(bench.url)
  const subjects: Subject[] = []
  for (const size of values.sizes.split(',').map(Number)) {
    say(`an org of ${size.toLocaleString('en')} contacts`)
    const filled = await filledOrg(bench, bench.folder, size)
    const agency = await bench.newOrg({ isAgency: true })
    const bare = await bench.start('bench/endpoints/bare.ts', [bench.url, filled.orgId])
    subjects.push({ ...filled, url: bench.url, agencyToken: agency.token, pools: new Pools(size), bare })
  }
  // No worker runs: background work after a write is not part of the cost of the write. Only totals must be
  // folded first.
  stopFolding = foldTotals(system(bench.database), createLog('error'), recordTotals)
  const server = await bench.serve({ ROLE: 'api' })
  const capture = await startCapture(bench)
  const turns = new Turns({ server, capture, folder: bench.folder, connections: Number(values.connections) })
  for (const subject of subjects) await prepareSubjects(subject)
  say('measuring')
  const rows: Row[] = []
  console.log(heading(subjects.map(({ size }) => size)))
  for (const each of cases) {
    const want = wanted(each)
    if (want === 'no') continue
    const rounds = want === 'made' ? 1 : Number(values.rounds)
    const seconds = Number(values.seconds) * (each.hot && want === 'measured' ? 3 : 1)
    const measured = await turns.measure(each, subjects, { rounds, seconds })
    if (want === 'made') continue
    rows.push({ each, measured })
    console.log(row({ each, measured }))
  }
  console.log(footnotes(rows))
  say('done')
  await capture.close()
} finally {
  await stopFolding?.()
  await removeLeftovers(bench.url)
  await bench.close()
}
