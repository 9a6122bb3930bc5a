import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { type CommandOptions, runCrosswalk, settingsOf } from '../support/crosswalk-command.ts'

const app = await startTestApp({ movesCalls: true })
afterAll(() => app.close({ leavesJobs: true }))

let org: TestOrg
beforeEach(async () => {
  org = await app.newOrg()
})
const run = (args: string[], options: CommandOptions = {}) =>
  runCrosswalk(args, { ...options, env: { ...settingsOf(org), NO_COLOR: '1', ...options.env } })
const atTerminal = { terminal: ['stdin', 'stderr'] as const }

test('calls place checks the call, asks, dials, and follows the call to its end', async () => {
  org = await app.newKey(org.orgId, { mode: 'test' })
  await org.post('/voice/numbers', { number: '+14155550100' })
  const place = ['calls', 'place', '+12025550104']
  const dry = await run([...place, '--dry-run'])
  expect([dry.code, JSON.parse(dry.stdout).status]).toEqual([0, 'validated'])
  expect(await run(place)).toMatchObject({ code: 2, stdout: '' })
  const no = await run(place, { ...atTerminal, stdin: 'n\n' })
  expect(no).toMatchObject({ code: 1, stdout: '' })
  expect(no.stderr).toMatch(
    /^Call \+12025550104 from \+14155550100, with simulator\. This is a call of test\s+mode: no phone rings\.\n/,
  )
  expect((await org.get('/voice/calls')).body.data).toEqual([])
  const placed = await run(place, { ...atTerminal, stdin: 'y\n' })
  expect(JSON.parse(placed.stdout)).toMatchObject({ to_number: '+12025550104', status: 'completed' })
  expect(placed).toMatchObject({ code: 0, stderr: expect.stringMatching(/completed\n/) })
  expect((await org.get('/voice/calls')).body.data).toHaveLength(1)
  const wrong = await run(['calls', 'place', '12', '--yes'])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/<to_number>|--to_number|to_number/)])
})

test('calls place says that a call with the simulator is not real, also with a live key', async () => {
  await org.post('/voice/numbers', { number: '+14155550100' })
  const { code, stderr } = await run(['calls', 'place', '+12025550104'], { ...atTerminal, stdin: 'n\n' })
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    1,
    expect.stringMatching(/^Call .*, with simulator\. The call is simulated: no phone rings\. /),
  ])
})

test('push leads previews, asks, pushes, and follows the push to its end', async () => {
  const none = await run(['push', 'leads', '--yes'])
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/crosswalk crm connections create/)])
  await org.post('/integrations/crm-sync/connections', { provider: 'sandbox' })
  for (const email of ['ada@example.com', 'grace@example.com'])
    await org.post('/contacts', { email, tags: ['vip'] })
  await org.post('/contacts', { email: 'linus@example.com' })
  const push = ['push', 'leads', '--tag', 'vip']
  expect(JSON.parse((await run([...push, '--dry-run'])).stdout)).toMatchObject({ count: 2, would_create: 2 })
  const asked = await run(push, { ...atTerminal, stdin: 'n\n' })
  expect(asked.stderr).toMatch(/^Push 2 people as leads: 2 new, 0 known to the CRM\.\nContinue\? \[y\/N\] /)
  expect(await run(push)).toMatchObject({ code: 2, stdout: '' })
  const pushed = await run([...push, '--yes'])
  expect(JSON.parse(pushed.stdout)).toMatchObject({ status: 'succeeded', counts: { created: 2, failed: 0 } })
  expect(pushed.code).toBe(0)
  const nobody = await run(['push', 'leads', '--tag', 'nobody', '--yes'])
  expect([nobody.code, nobody.stderr]).toEqual([1, 'crosswalk: Nobody matches, so nothing was pushed.\n'])
})

test('push leads needs --confirm-large for more people than the confirmation threshold, if nobody is asked', async () => {
  await org.post('/integrations/crm-sync/connections', { provider: 'sandbox' })
  await org.patch('/integrations/crm-sync/settings', { threshold: 1 })
  for (const email of ['ada@example.com', 'grace@example.com']) await org.post('/contacts', { email })
  const refused = await run(['push', 'contacts', '--yes'])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/Add --confirm-large/)])
  const pushed = await run(['push', 'contacts', '--yes', '--confirm-large'])
  expect(pushed.code, pushed.stderr).toBe(0)
})

async function propose(last_name: string): Promise<void> {
  for (const city of ['Rome', 'Oslo'])
    await org.post('/contacts', { first_name: 'Ada', last_name, email: `${last_name}@example.com`, city })
}
async function proposals(): Promise<void> {
  for (const name of ['Lovelace', 'Byron', 'King']) await propose(name)
  const scan = await run(['duplicates', 'scans', 'create', '--entity-type', 'contact', '-o', 'id'])
  const done = async () =>
    JSON.parse((await run(['duplicates', 'scans', 'get', scan.stdout.trim()])).stdout).status === 'succeeded'
  await expect.poll(done, { timeout: 30_000 }).toBe(true)
}

test.each([80, 160])(
  'duplicates review merges, dismisses, skips and undoes on a terminal with %i columns',
  async (columns) => {
    await proposals()
    const ended = await run(['duplicates', 'review'], { ...atTerminal, columns, stdin: 'sumududm' })
    const shown = ended.stderr
    expect(ended.code, shown).toBe(0)
    for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(shown).toMatch(/^1 of 3: the same contact\? \d+ % sure/m)
    expect(shown).toMatch(/^≠ city +Rome +Oslo$/m)
    // No value is cut: the records may differ only at the end.
    expect(shown).not.toContain('…')
    expect(shown).toMatch(/^for: email – the same$/m)
    expect(shown).toMatch(/^Merged\.\n/m)
    const merges = (await org.get('/duplicates/recent-merges')).body.data
    const text = /(\d) merged, (\d) dismissed, (\d) skipped\.\n$/.exec(shown)
    expect(text?.slice(1).map(Number)).toEqual([1, 1, 0])
    expect(merges.filter(({ status }: { status: string }) => status === 'applied')).toHaveLength(1)
  },
)

test('duplicates review undoes an earlier dismissal, too', async () => {
  await proposals()
  const ended = await run(['duplicates', 'review'], { ...atTerminal, stdin: 'dsuuq' })
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stderr).toMatch(/0 merged, 0 dismissed, 0 skipped\.\n$/)
  const open = JSON.parse((await run(['duplicates', 'merges', 'list', '--status', 'shadow'])).stdout)
  expect(open).toHaveLength(3)
})

test('duplicates review shows one record below the other on a plain terminal, and is refused without a terminal', async () => {
  await propose('Lovelace')
  await run(['duplicates', 'scans', 'create', '--entity-type', 'contact'])
  const list = async () =>
    JSON.parse((await run(['duplicates', 'merges', 'list', '--status', 'shadow'])).stdout)
  await expect.poll(list, { timeout: 30_000 }).toHaveLength(1)
  const plain = await run(['duplicates', 'review'], {
    ...atTerminal,
    env: { CROSSWALK_PLAIN: '1' },
    stdin: 'q',
  })
  expect(plain.stderr).toMatch(/^city differs\n {2}kept: Rome\n {2}absorbed: Oslo\n/m)
  for (const sign of ['≠', '█', '\u001b']) expect(plain.stderr).not.toContain(sign)
  expect((await run(['duplicates', 'review'])).code).toBe(2)
})
