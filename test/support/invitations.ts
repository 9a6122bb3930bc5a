import { expect } from 'vitest'
import type { Answer, TestApp, TestClient, TestOrg } from './app.ts'

type Invited = { invitation_id: string; token: string }

export async function invite(agency: TestClient, body: object = {}): Promise<Invited> {
  const answer = await agency.post('/agency/invitations', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

export const accept = (client: TestClient, token: string, options: object = {}): Promise<Answer> =>
  client.post('/organization/agencies', { token }, options)

export async function linkedByInvitation(app: TestApp): Promise<{ agency: TestOrg; client: TestOrg }> {
  const [agency, client] = [await app.newAgency(), await app.newOrg({ name: 'Northwind' })]
  const { token } = await invite(agency)
  expect((await accept(client, token)).status).toBe(201)
  return { agency, client }
}
