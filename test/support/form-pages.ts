import { expect } from 'vitest'
import { deriveKey } from '../../src/platform/encryption-key.ts'
import { onlyKey } from '../../src/platform/encryption-keys.ts'
import { Challenges, isSolved, textOf } from '../../src/tracking/forms/public/challenges.ts'
import type { Answer, TestApp, TestClient } from './app.ts'
import { testKey } from './database.ts'
import { fromNewAddress } from './new-address.ts'

/** The challenges that every test server makes and accepts. */
export const challenges: Challenges = new Challenges(onlyKey(deriveKey(testKey, 'challenges of forms')))

/** A challenge of a page that was opened 10 s ago. */
export const openedChallenge = (formId: string, agoMs = 10_000): string =>
  textOf(challenges.make(formId, Date.now() - agoMs))

/** Solves the proof of work of a challenge. */
export function solve(formId: string, text: string): string {
  const known = challenges.read(formId, text)
  if (!known) throw new Error('This is no challenge of the form')
  for (let proof = 0; ; proof++) if (isSolved(known, String(proof))) return String(proof)
}

export const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36'

/** A live form and a write key for it. */
export async function newLiveForm(
  org: Pick<TestClient, 'post'>,
  body: object = {},
): Promise<{ formId: string; key: string }> {
  const fields = [
    { key: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
    { key: 'name', label: 'First name', maps_to: 'first_name' },
    { key: 'wish', label: 'Wish', type: 'textarea' },
  ]
  const form = await org.post('/forms', { name: 'Demo', status: 'live', fields, ...body })
  expect(form.status, form.text).toBe(201)
  const key = await org.post('/write-keys', { name: 'Site', purposes: ['forms'] })
  expect(key.status, key.text).toBe(201)
  return { formId: form.body.data.form_id, key: key.body.data.key }
}

/** Sends a form as the script of a page does. */
export function sendForm(
  app: Pick<TestApp, 'stranger'>,
  { formId, key }: { formId: string; key: string },
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = { writeKey: key, challenge: openedChallenge(formId), ...body }
  const all = { ...fromNewAddress(), 'user-agent': browser, ...headers }
  return app.stranger.post(`/f/${formId}/submissions`, sent, { prefix: '', headers: all })
}

/** Sends the hosted page as a browser without a script does. */
export function postPage(
  app: Pick<TestApp, 'stranger'>,
  formId: string,
  values: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw = new URLSearchParams({ challenge: openedChallenge(formId), ...values }).toString()
  const all = { ...fromNewAddress(), 'user-agent': browser, ...headers }
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.stranger.post(`/f/${formId}`, undefined, { prefix: '', raw, headers: { ...all, ...type } })
}

/** The id of a form with one submission. */
export async function newSentForm(
  app: Pick<TestApp, 'stranger'>,
  org: Pick<TestClient, 'post'>,
): Promise<string> {
  const form = await newLiveForm(org, { name: 'Demo requests' })
  const sent = await sendForm(app, form, { answers: { email: 'eve@example.com' } })
  expect(sent.status, sent.text).toBe(200)
  return form.formId
}
