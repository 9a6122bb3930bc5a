import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { OidcProvider } from '../support/oidc-provider.ts'
import { signOnAt } from '../support/single-sign-on.ts'

const app = await startTestApp({ trustProxy: true, outboundAllowPrivate: true })
const provider = await new OidcProvider().start()
afterAll(() => Promise.all([app.close(), provider.stop()]))
const { put, newSsoOrg, newPerson, signOn } = signOnAt(app, provider)

test('single sign-on can be required only after somebody has signed in with this client of the provider', async () => {
  const owner = await newSsoOrg()
  const requireAfterSignIn = async () => {
    const refused = await put(owner, { is_required: true })
    expect([refused.status, refused.body.code]).toEqual([409, 'sso_untested'])
    await signOn(owner.orgId ?? '', newPerson())
    const required = await put(owner, { is_required: true })
    expect(required.body.data.connection).toMatchObject({ is_required: true, is_tested: true })
  }
  await requireAfterSignIn()
  // The provider knows Crosswalk by another name now.
  provider.clientId = 'crosswalk-at-acme'
  expect((await put(owner)).body.data.connection).toMatchObject({ is_required: false, is_tested: false })
  await requireAfterSignIn()
})
