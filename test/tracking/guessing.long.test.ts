import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { askForCall, newCallBackForm, numbers, requestsOf } from '../support/call-back.ts'
import { newLiveForm, sendForm } from '../support/form-pages.ts'
import { ada } from '../support/identity.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { statementsDuring } from '../support/sent-statements.ts'
import { newSite } from '../support/web-visitors.ts'

// Background work would send statements of the same organization.
const app = await startTestApp({ trustProxy: true, role: 'api' })
afterAll(() => app.close())

type Probe = { org: TestOrg; ask: (value: string) => Promise<Answer> }

/** The ways in which everybody can send an e-mail address. */
const ways: [string, () => Promise<Probe>][] = [
  [
    'a form',
    async () => {
      const org = await app.newOrg()
      // In an hour, each form accepts 20 submissions without a proof of work.
      const forms = await Promise.all([1, 2, 3, 4].map(() => newLiveForm(org)))
      let asked = 0
      const ask = (email: string) => {
        const form = forms[asked++ % forms.length] ?? { formId: '', key: '' }
        return sendForm(app, form, { answers: { email }, anonymousId: randomUUID() })
      }
      return { org, ask }
    },
  ],
  [
    'an identify call',
    async () => {
      const { org, key } = await newSite(app)
      await org.patch('/tracking/settings', { identify_creates: true })
      const ask = (email: string) =>
        app.stranger.post(
          '/v1/identify',
          { writeKey: key, anonymousId: randomUUID(), userId: email, traits: { email } },
          { prefix: '', headers: fromNewAddress() },
        )
      return { org, ask }
    },
  ],
]

/** What a client can see of an answer, except for the request id and the time. */
const shownOf = ({ status, text, headers }: Answer) => [status, text, [...headers.keys()].sort()]

describe.each(ways)('guessing e-mail addresses through %s', (_way, open) => {
  test('a known address gets the same answer as an unknown one, after the same statements', async () => {
    const { org, ask } = await open()
    // The owner of the address has more contacts, and one of them denied consent.
    const known = { ...ada, consent: { email: 'denied', phone: 'denied' } }
    for (const contact of [known, { ...ada, phone: '+14155550101' }])
      expect((await org.post('/contacts', contact)).status).toBe(201)
    await ask('first@engine.example')
    const seen = []
    for (const email of [ada.email, 'none@engine.example', ada.email.toUpperCase()]) {
      const answers: Answer[] = []
      const statements = await statementsDuring(org.orgId, async () => answers.push(await ask(email)))
      expect(statements.length).toBeGreaterThan(0)
      seen.push({ shown: shownOf(answers[0]!), statements })
    }
    expect(seen[0]).toEqual(seen[1])
    expect(seen[2]).toEqual(seen[1])
  })

  test('a known address is answered as fast as an unknown one', async () => {
    const { org, ask } = await open()
    await org.post('/contacts', ada)
    const timed = async (email: string) => {
      const start = performance.now()
      expect((await ask(email)).status).toBe(200)
      return performance.now() - start
    }
    for (let warm = 0; warm < 5; warm++) await timed(`warm${warm}@engine.example`)
    const pairs = 30
    let slower = 0
    for (let pair = 0; pair < pairs; pair++) {
      const other = `none${String(pair).padStart(2, '0')}@engine.example`
      // Each address comes first in half of the pairs.
      const [first, second] = pair % 2 ? [ada.email, other] : [other, ada.email]
      const times = [await timed(first), await timed(second)]
      const [ofKnown = 0, ofOther = 0] = pair % 2 ? times : times.toReversed()
      if (ofKnown > ofOther) slower++
    }
    // Sign test: without a difference, fewer than one run in 100,000 is outside.
    expect(slower).toBeGreaterThan(3)
    expect(slower).toBeLessThan(27)
  })
})

test.each(['manual', 'automatic'])(
  'the number of a call-back request gets the same answer, after the same statements, whoever has it (%s)',
  async (approval) => {
    const { org, form } = await newCallBackForm(app, { approval })
    const [known, denied, suppressed, asked] = numbers
    await org.post('/contacts', { phone: known })
    await org.post('/contacts', { phone: denied, consent: { phone: 'denied' } })
    await org.post('/voice/suppressions', { number: suppressed })
    const ask = (number: string) => askForCall(app, form, number, { anonymousId: randomUUID() })
    await ask(asked)
    const seen = []
    for (const number of ['+12025550143', known, denied, suppressed, asked]) {
      const answers: Answer[] = []
      const statements = await statementsDuring(org.orgId, async () => answers.push(await ask(number)))
      seen.push({ shown: shownOf(answers[0]!), statements })
    }
    for (const each of seen) expect(each).toEqual(seen[0])
    expect((await requestsOf(org)).map(({ reason }) => reason)).toEqual([
      ...['number_limit', 'number_suppressed', 'consent_denied', null, null, null],
    ])
    const refused = (await org.get('/events?type=call_back_request.refused')).body.data
    expect(refused.map(({ data }: { data: object }) => data)).toEqual(Array(3).fill({ form_id: form.formId }))
  },
)
