import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { createRecords } from '../support/finding.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const path = '/duplicates/settings'
const shipped = {
  mode: 'shadow',
  rules: {},
  auto_threshold: 0.999,
  review_threshold: 0.9,
  survivorship: {},
  undo_days: null,
}

test('by default the engine merges nothing automatically', async () => {
  const org = await app.newOrg()
  expect((await org.get(path)).body.data).toEqual({ contact: shipped, company: shipped, deal: shipped })
})

test('PATCH keeps the duplicate settings that are not sent, and null restores a default', async () => {
  const org = await app.newOrg()
  const changed = await org.patch(path, {
    contact: {
      mode: 'auto',
      rules: { same_phone_and_name: 'off', same_linkedin: 'shadow' },
      review_threshold: 0.8,
      survivorship: { job_title: 'longest' },
    },
    company: { undo_days: 30, survivorship: { employee_count: 'max' } },
  })
  expect(changed.body.data).toEqual({
    contact: {
      ...shipped,
      mode: 'auto',
      rules: { same_phone_and_name: 'off', same_linkedin: 'shadow' },
      review_threshold: 0.8,
      survivorship: { job_title: 'longest' },
    },
    company: { ...shipped, undo_days: 30, survivorship: { employee_count: 'max' } },
    deal: shipped,
  })
  await org.patch(path, {
    contact: { mode: null, rules: { same_phone_and_name: null }, review_threshold: null },
  })
  await org.patch(path, { company: null, deal: { mode: 'off' } })
  expect((await org.get(path)).body.data).toEqual({
    contact: { ...shipped, rules: { same_linkedin: 'shadow' }, survivorship: { job_title: 'longest' } },
    company: shipped,
    deal: { ...shipped, mode: 'off' },
  })
  const other = await app.newOrg()
  expect((await other.get(path)).body.data.deal).toEqual(shipped)
})

test('an event names the changed duplicate settings, and a request without changes writes no event', async () => {
  const org = await app.newOrg()
  await org.patch(path, {
    contact: { mode: 'auto', rules: { same_linkedin: 'off' } },
    deal: { undo_days: 7 },
  })
  await org.patch(path, { contact: { mode: 'auto', rules: {} }, company: {} })
  const { data } = (await org.get('/events?type=duplicate_settings.updated')).body
  expect(data).toEqual([
    expect.objectContaining({
      object_id: org.orgId,
      changed: ['contact.mode', 'contact.rules', 'deal.undo_days'],
    }),
  ])
})

const refused: [what: string, body: object, loc: string[], msg: RegExp][] = [
  ['a mode that there is not', { contact: { mode: 'on' } }, ['contact', 'mode'], /'off', 'shadow' or 'auto'/],
  [
    'deals that merge by themselves',
    { deal: { mode: 'auto' } },
    ['deal', 'mode'],
    /never merged automatically/,
  ],
  [
    'a rule for deals that merges',
    { deal: { rules: { same_external_id: 'auto' } } },
    ['deal', 'rules', 'same_external_id'],
    /never merged/,
  ],
  [
    'a rule that there is not',
    { contact: { rules: { same_domain: 'auto' } } },
    ['contact', 'rules', 'same_domain'],
    /use same_external_id, .* or same_role_mailbox_and_name/,
  ],
  [
    'a mode of a rule that there is not',
    { contact: { rules: { same_email: 'on' } } },
    ['contact', 'rules', 'same_email'],
    /'off'/,
  ],
  [
    'a probability above 1',
    { contact: { auto_threshold: 1.1 } },
    ['contact', 'auto_threshold'],
    /less than or equal to 1/,
  ],
  [
    'proposing everything',
    { deal: { review_threshold: 0 } },
    ['deal', 'review_threshold'],
    /greater than or equal to 0.01/,
  ],
  [
    'merging everything',
    { contact: { auto_threshold: 0, review_threshold: 0.5 } },
    ['contact', 'auto_threshold'],
    /greater than or equal to 0.01/,
  ],
  [
    'merging what is not worth proposing',
    { contact: { auto_threshold: 0.5 } },
    ['contact', 'auto_threshold'],
    /below review_threshold/,
  ],
  [
    'proposing less than is merged',
    { contact: { review_threshold: 0.9999 } },
    ['contact', 'auto_threshold'],
    /below review_threshold/,
  ],
  [
    'a field that there is not',
    { contact: { survivorship: { shoe_size: 'max' } } },
    ['contact', 'survivorship', 'shoe_size'],
    /no such field/,
  ],
  [
    'a policy that does not fit',
    { contact: { survivorship: { job_title: 'max' } } },
    ['contact', 'survivorship', 'job_title'],
    /'primary' or 'longest'/,
  ],
  [
    'a stage by its length',
    { contact: { survivorship: { lifecycle_stage: 'min' } } },
    ['contact', 'survivorship', 'lifecycle_stage'],
    /'furthest_stage'/,
  ],
  [
    'consent',
    { contact: { survivorship: { consent: 'primary' } } },
    ['contact', 'survivorship', 'consent'],
    /stricter value always wins/,
  ],
  [
    'a list',
    { contact: { survivorship: { tags: 'primary' } } },
    ['contact', 'survivorship', 'tags'],
    /lists are combined/,
  ],
  ['no day at all', { contact: { undo_days: 0 } }, ['contact', 'undo_days'], /greater than or equal to 1/],
  ['a lifetime', { contact: { undo_days: 3651 } }, ['contact', 'undo_days'], /3650/],
]

test.each(refused)(
  'a change of duplicate settings to %s gets 422 and changes nothing',
  async (_, body, loc, msg) => {
    const org = await app.newOrg()
    const { status, body: answer } = await org.patch(path, { company: { undo_days: 5 }, ...body })
    expect([status, answer.detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['body', ...loc], msg: expect.stringMatching(msg) })],
    ])
    expect((await org.get(path)).body.data).toEqual({ contact: shipped, company: shipped, deal: shipped })
  },
)

test('reading the settings needs duplicates:read, and changing them needs duplicates:manage', async () => {
  const org = await app.newOrg()
  const withKey = (permissions: string[]) => app.newKey(org.orgId, { permissions })
  expect((await (await withKey(['duplicates:read'])).get(path)).status).toBe(200)
  expect((await (await withKey(['contacts:*'])).get(path)).status).toBe(403)
  expect((await (await withKey(['duplicates:write'])).patch(path, {})).status).toBe(403)
  expect((await (await withKey(['duplicates:manage'])).patch(path, {})).status).toBe(200)
})

test('the policy of a field decides which value a merge shows', async () => {
  const org: TestOrg = await app.newOrg()
  await org.patch(path, { company: { survivorship: { employee_count: 'max', name: 'longest' } } })
  const [one, other] = await createRecords(
    org,
    'company',
    { name: 'Acme', employee_count: 10, industry: 'Tools' },
    { name: 'Acme Corporation', employee_count: 250, industry: 'Other' },
  )
  await merge(org, 'company', one, other)
  expect((await org.get(`/companies/${one}`)).body.data).toMatchObject({
    name: 'Acme Corporation',
    employee_count: 250,
    industry: 'Tools',
  })
})
