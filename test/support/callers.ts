import type { Answer, TestApp, TestClient, TestOrg } from './app.ts'
import { placeCall } from './place-call.ts'

export const number = '+442071838750'
export const other = '+442071838751'
export const deniedConsent = { consent: { phone: 'denied' } }

export async function newCaller(
  app: TestApp,
  settings: object = { provider: 'simulator' },
  voice = {},
): Promise<{ org: TestOrg; speaker: { persona_id: string } }> {
  const org = await app.newOrg()
  await org.patch('/voice/settings', settings)
  await org.post('/voice/numbers', { number: '+14155550100' })
  const { body } = await org.post('/personas', { name: 'Ann', greeting: 'Hello from Acme.', voice })
  return { org, speaker: { persona_id: body.data.persona_id } }
}

export const place = (org: TestClient, body: object = {}, key?: string): Promise<Answer> =>
  placeCall(org, { to_number: number, ...body }, key)
export const create = async (org: TestOrg, fields: object): Promise<string> =>
  (await org.post('/contacts', { first_name: 'Ada', phone: number, ...fields })).body.data.contact_id
export const suppress = async (org: TestOrg, fields: object = {}): Promise<string> =>
  (await org.post('/voice/suppressions', { number, ...fields })).body.data.suppression_id

/** The code of the refusal, or the status of the call. */
export const outcome = async (org: TestClient, body: object = {}): Promise<string> => {
  const answer = await place(org, body)
  return answer.status === 400 ? answer.body.code : answer.body.status
}
