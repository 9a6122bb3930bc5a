import type { ConsoleBrowser, Opened } from './console.ts'
import type { SignedIn } from './members.ts'

/**
 * Opens a page at localhost: browsers create no passkeys for an IP address. The device verifies the person.
 * @param hasAutofill whether the browser offers passkeys in autofill, and the person chooses one at once
 */
export async function openWithDevice(
  browser: ConsoleBrowser,
  path: string,
  member: SignedIn | null,
  hasAutofill = false,
): Promise<Opened> {
  const address = browser.app.address.replace('127.0.0.1', 'localhost')
  const opened = await browser.open('/sign-in', null, async (page) => {
    if (member)
      await page
        .context()
        .addCookies([{ name: 'crosswalk', value: member.sessionToken, url: address, httpOnly: true }])
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    if (!hasAutofill)
      await page.addInitScript(() => {
        PublicKeyCredential.isConditionalMediationAvailable = async () => false
      })
  })
  await opened.page.goto(`${address}/console${path.replace('ORG', member?.orgId ?? '')}`)
  return opened
}
