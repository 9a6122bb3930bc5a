import { expect } from 'vitest'
import type { TestClient } from './app.ts'
import { addCallBackForm } from './call-back.ts'
import { create } from './create-object.ts'

let numbers = 0
const newNumber = () => `+1628555${String(2000 + numbers++).padStart(4, '0')}`

/** Creates a form, a submission, a call-back request or a write key in the client's org, and returns their ids. */
export const formMakers = {
  form_id: (org) =>
    create(org, '/forms', { name: 'A', fields: [{ key: 'a', label: 'A' }] }, ({ data }) => data.form_id),
  write_key_id: (org) =>
    create(org, '/write-keys', { name: 'Made for a walk' }, (body) => body.data.write_key_id),
  // An address may send five forms a minute, so use the first submission again.
  async submission_id(org) {
    const first = async () => (await org.get('/forms/submissions')).body.data[0]?.submission_id
    const known = await first()
    if (known) return known
    const form = { name: 'A', status: 'live', fields: [{ key: 'a', label: 'A' }] }
    const formId = await create(org, '/forms', form, ({ data }) => data.form_id)
    const key = await create(org, '/write-keys', { name: 'A', purposes: ['forms'] }, ({ data }) => data.key)
    const sent = await org.post(
      `/f/${formId}/submissions`,
      {},
      { prefix: '', headers: { 'x-write-key': key } },
    )
    expect(sent.status, sent.text).toBe(200)
    return first()
  },
  // Each number gets one request a day.
  async request_id(org) {
    const first = async () => (await org.get('/call-back-requests?status=waiting')).body.data[0]?.request_id
    const known = await first()
    if (known) return known
    const [from_number, phone] = [newNumber(), newNumber()]
    await create(org, '/voice/numbers', { number: from_number }, ({ data }) => data.number_id)
    const form = await addCallBackForm(org, { from_number })
    const sent = await org.post(
      `/f/${form.formId}/submissions`,
      { answers: { phone }, consent: true },
      { prefix: '', headers: { 'x-write-key': form.key } },
    )
    expect(sent.status, sent.text).toBe(200)
    const { data } = (await org.get(`/forms/submissions?form_id=${form.formId}`)).body
    // The submission has no challenge, so it counts as spam until a person accepts it.
    const restored = await org.post(`/forms/submissions/${data[0].submission_id}/restore`)
    expect(restored.status, restored.text).toBe(200)
    return first()
  },
} satisfies Record<string, (org: TestClient) => Promise<string>>
