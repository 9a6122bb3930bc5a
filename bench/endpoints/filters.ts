// Measures filters and sorts of GET /contacts in an org of a million contacts: p50 and p95 of one client.
//   node bench/endpoints/filters.ts --folder /tmp/bench [--size 1000000] [--answers 200]
import { parseArgs } from 'node:util'
import { quantile } from '../support/client.ts'
import { filledOrg, idOf } from '../support/fill.ts'
import { openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    size: { type: 'string', default: '1000000' },
    answers: { type: 'string', default: '200' },
  },
})
const size = Number(values.size)
const answers = Number(values.answers)

const any = (most: number) => Math.floor(Math.random() * most)

/** Queries that an index answers, with the limit for each in milliseconds. */
const indexed: (() => string)[] = [
  () => '',
  () => 'sort=created_at',
  () => 'sort=-updated_at',
  () => 'sort=updated_at',
  () => `updated_since=${Math.floor(Date.now() / 1000) - 60}&sort=updated_at`,
  () => `email=p${any(size)}@x.example`,
  () => `email[in]=p${any(size)}@x.example,p${any(size)}@x.example`,
  () => `tag=t${any(1000)}`,
  () => 'tag=tenth',
  () => `tag=tenth&sort=name`,
  () => `tag=t${any(1000)}&sort=name`,
  () => `tag=t${any(1000)}&city[ne]=Paris`,
  () => `company_id=${idOf('company', any(size / 5))}`,
  () => `contact_id[in]=${idOf('contact', any(size))},${idOf('contact', any(size))}`,
  () => 'fields=contact_id,email,version&limit=500',
]
const others: (() => string)[] = [
  () => `last_name=Last${any(5000)}`,
  () => `last_name[starts_with]=Last${any(100)}`,
  () => `custom.plan=none${any(100)}`,
  () => 'custom.plan=basic',
  () => `created_at[gte]=${Date.UTC(2023, 2, 1) / 1000}`,
  () => 'sort=name',
  () => 'city=London&sort=-name',
]

const bench = await openBench(values.folder)
try {
  const { token } = await filledOrg(bench, bench.folder, size)
  const { address } = await bench.serve()
  for (const [list, count] of [
    [indexed, answers],
    [others, Math.ceil(answers / 20)],
  ] as const) {
    for (const query of list) {
      const times: number[] = []
      for (let n = -3; n < count; n++) {
        const startedAt = performance.now()
        const answer = await fetch(`${address}/api/v1/contacts?${query()}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(text)
        if (n >= 0) times.push(performance.now() - startedAt)
      }
      times.sort((a, b) => a - b)
      const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)].map((ms) => ms.toFixed(1).padStart(7))
      console.log(`${query().slice(0, 60).padEnd(60)} p50 ${p50} ms   p95 ${p95} ms`)
    }
  }
} finally {
  await bench.close()
}
