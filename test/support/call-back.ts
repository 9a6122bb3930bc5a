import { expect } from 'vitest'
import type { Answer, TestApp, TestClient, TestOrg } from './app.ts'
import { newLiveForm, openedChallenge, sendForm, solve } from './form-pages.ts'

/** Numbers that the simulator answers. */
export const numbers = [
  '+12025550100',
  '+12025550104',
  '+12025550141',
  '+12025550142',
  '+12025550143',
] as const

export const phoneField = { key: 'phone', label: 'Phone', type: 'phone', required: true, maps_to: 'phone' }
export const callConsent = {
  ...{ text: 'An AI agent may call me at this number.', channels: ['phone'], required: true },
}

const two = (n: number) => String(n).padStart(2, '0')

/** All hours except one minute of the day, which is half an hour away in every time zone with whole hours. */
export function allDay(now: Date = new Date()): { start: string; end: string } {
  const minute = (now.getUTCMinutes() + 30) % 60
  return { start: minute === 59 ? '01:00' : `00:${two(minute + 1)}`, end: `00:${two(minute)}` }
}

/** An hour in Great Britain that begins in about two hours. */
export function laterInBritain(now: Date = new Date()): { start: string; end: string } {
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' }).format(
      now,
    ),
  )
  return { start: `${two((hour + 2) % 24)}:00`, end: `${two((hour + 3) % 24)}:00` }
}

/** An organization that can call, and its live form that asks for calls. */
export async function newCallBackForm(
  app: Pick<TestApp, 'newOrg'>,
  callBack: object = {},
): Promise<{ org: TestOrg; form: { formId: string; key: string } }> {
  const org = await app.newOrg()
  expect((await org.post('/voice/numbers', { number: '+14155550100' })).status).toBe(201)
  return { org, form: await addCallBackForm(org, callBack) }
}

export const addCallBackForm = (
  org: Pick<TestClient, 'post'>,
  callBack: object = {},
): Promise<{ formId: string; key: string }> =>
  newLiveForm(org, {
    name: 'Call me back',
    fields: [phoneField, { key: 'email', label: 'E-mail', type: 'email', maps_to: 'email' }],
    consent: callConsent,
    call_back: { countries: ['US'], hours: allDay(), ...callBack },
  })

/** Asks for a call as the script of a page does, with a proof of work. */
export function askForCall(
  app: Pick<TestApp, 'stranger'>,
  form: { formId: string; key: string },
  phone: string,
  { isProven = true, ...body }: { isProven?: boolean; [member: string]: unknown } = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const challenge = openedChallenge(form.formId)
  const proof = isProven ? solve(form.formId, challenge) : ''
  return sendForm(app, form, { answers: { phone }, consent: true, challenge, proof, ...body }, headers)
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers, and assert their shape
export const requestsOf = async (org: Pick<TestClient, 'get'>, query = ''): Promise<any[]> =>
  (await org.get(`/call-back-requests?${query}`)).body.data
