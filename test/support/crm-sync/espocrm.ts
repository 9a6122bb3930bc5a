import { afterAll, afterEach, beforeAll } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../app.ts'
import { EspoStandIn } from '../stand-ins/espocrm.ts'
import { connect, crmBase } from './crm.ts'

export type EspoSetup = { org: TestOrg; connection_id: string; espo: EspoStandIn }

/** A server for the tests of a file, and a stand-in EspoCRM for each org. */
export function useEspo() {
  let app: TestApp
  const standIns: EspoStandIn[] = []
  beforeAll(async () => {
    app = await startTestApp({ outboundAllowPrivate: true })
  })
  afterEach(async () => {
    for (const standIn of standIns.splice(0)) await standIn.server.close()
  })
  afterAll(() => app.close())

  return {
    get app() {
      return app
    },
    async newOrg(body: { settings?: object; field_map?: object } = {}): Promise<EspoSetup> {
      const espo = await EspoStandIn.start()
      standIns.push(espo)
      const org = await app.newOrg()
      const { credentials } = espo
      return {
        org,
        espo,
        connection_id: await connect(org, { provider: 'espocrm', credentials, ...body }),
      }
    },
  }
}

export const tested = (org: TestOrg, connectionId: string) =>
  org.post(`${crmBase}/connections/${connectionId}/test`)
