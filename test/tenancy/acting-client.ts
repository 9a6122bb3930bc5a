import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { type Answer, type Options, type TestApp, TestClient, type TestOrg } from '../support/app.ts'

/** Acts on a client with the key of its agency: each request names the client in `X-Target-Org-Id`. */
class ActingClient extends TestClient {
  readonly orgId: string
  readonly apiKeyId: string
  readonly #agency: TestOrg

  constructor(agency: TestOrg, orgId: string) {
    super(agency.address, agency.token)
    this.#agency = agency
    this.orgId = orgId
    this.apiKeyId = agency.apiKeyId
  }

  override send(method: string, path: string, { headers, ...options }: Options = {}): Promise<Answer> {
    return super.send(method, path, { ...options, headers: { 'x-target-org-id': this.orgId, ...headers } })
  }

  newAgency = () => this.#agency.newAgency()
  newConnectedApp = (orgId: string) => this.#agency.newConnectedApp(orgId)
}

/** Two clients of one agency: `mine` acts on the first with the agency's key, and `other` has a key of its own. */
export async function twoClients(app: TestApp): Promise<{ mine: TestOrg; other: TestOrg }> {
  const agency = await app.newAgency()
  const [first, other] = [await newClient(app, agency), await newClient(app, agency)]
  return { mine: new ActingClient(agency, first.orgId), other }
}

async function newClient(app: TestApp, agency: TestOrg): Promise<TestOrg> {
  const org = await app.newOrg({ isAgency: true, key: { isAgency: true } })
  const { token } = (await agency.post('/agency/invitations', {})).body.data
  const accepted = await org.post('/organization/agencies', { token })
  if (accepted.status !== 201) throw new Error(accepted.text)
  return org
}

/** Endpoints that the agency's key cannot use for a client: the client's own clients, and its links to agencies. */
export const needsOwnKey = ({ method, path }: Endpoint): boolean =>
  path.startsWith('/agency/') || (method === 'DELETE' && path.startsWith('/organization/agencies/'))
