import { expect } from 'vitest'
import type { TestOrg } from './app.ts'

export const settings = '/voice/settings'

export const defaults = {
  ...{ provider: 'simulator', credentials: null, kept_credentials: [], allow_premium: false },
  ...{ concurrent_call_cap: 10, calling_hours: null, version: 1, updated_at: null },
  ...{ callback_url: null, ai_disclosure: true, ai_disclosure_text: null },
  subscription: { status: 'active', included_minutes: null },
}

// biome-ignore lint/suspicious/noExplicitAny: tests read the answer, and assert its shape
export async function changeVoiceSettings(org: TestOrg, body: object): Promise<any> {
  const answer = await org.patch(settings, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

/** The place, type and text of each error. Checks that the refused request changed nothing. */
export async function refusals(org: TestOrg, body: object): Promise<[string, string, string][]> {
  const before = (await org.get(settings)).text
  const answer = await org.patch(settings, body)
  expect(answer.status, answer.text).toBe(422)
  expect((await org.get(settings)).text).toBe(before)
  return answer.body.detail.map(({ loc, type, msg }: never) => [
    (loc as string[]).slice(1).join('.'),
    type,
    msg,
  ])
}
