import type { TestOrg } from '../support/app.ts'
import type { Variant } from './flood.ts'
import type { HeavyRequest } from './heaviest.ts'

const fields = 30
/** The maximum size of a submission is 64 KiB. */
const bodyBytes = 63_000
const perSecond = 200

/** Submissions to a public form: strangers at many client addresses send them. */
export function formFloods(org: TestOrg): HeavyRequest[] {
  const texts = { quotes: 'x<"', 'short groups of digits': '1-' }
  return Object.entries(texts).map(([name, text]) => {
    const answer = text.repeat(Math.floor(bodyBytes / fields / encodeURIComponent(text).length))
    const answers = Array.from({ length: fields }, (_, at) => [`k${at}`, answer])
    return {
      name: `submissions of ${name} from many addresses`,
      ...{ method: 'POST', path: '/f/', contentType: 'application/x-www-form-urlencoded', perSecond },
      body: Buffer.from(new URLSearchParams(answers).toString()),
      prepare: (count: number) => toForm(org, count),
    }
  })
}

async function toForm(org: TestOrg, count: number): Promise<Variant[]> {
  const ofKey = (_: unknown, at: number) => ({ key: `k${at}`, label: `L${at}`, type: 'text' })
  const form = { name: 'Flood', status: 'live', fields: Array.from({ length: fields }, ofKey) }
  const { status, text, body } = await org.post('/forms', form)
  if (status !== 201) throw new Error(`The form cannot be made: ${status} ${text}`)
  return Array.from({ length: count }, (_, at) => ({
    path: `/f/${body.data.form_id}`,
    headers: { authorization: 'Bearer none', 'x-forwarded-for': `10.8.${at >> 8}.${at & 255}` },
  }))
}

/** Identify calls in which each visitor claims the ids and addresses of many people. */
export function identifyFloods(): HeavyRequest[] {
  const batch = Array.from({ length: 400 }, (_, at) => ({
    ...{ type: 'identify', anonymousId: `a${at % 50}`, userId: `u${(at * 7) % 60}` },
    traits: { email: `e${at % 13}@example.com`, name: 'A B' },
  }))
  return [
    {
      name: 'identify calls that link visitors in chains',
      ...{ method: 'POST', path: '/v1/batch', contentType: 'application/json' },
      body: Buffer.from(JSON.stringify({ batch })),
    },
  ]
}
