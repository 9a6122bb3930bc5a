import type { Answer, TestClient } from './app.ts'

/** Asks for a call, with an idempotency key if given. */
export const placeCall = (org: TestClient, body: object, key?: string): Promise<Answer> =>
  org.post('/voice/calls', body, key === undefined ? {} : { headers: { 'idempotency-key': key } })
