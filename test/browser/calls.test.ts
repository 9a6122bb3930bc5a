import type { Locator, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToShow, withClock } from '../support/console.ts'
import {
  requireNoFaults,
  requireNoFaultsInAllLooks,
  requireNoFaultsInTwoThemes,
} from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { answeredNumber, place, simulatedCalls } from '../support/simulated-calls.ts'

const chromium = chromiumOrSkip()

/** `answeredNumber` as the console shows it. */
const answeredWords = '+1 202 555 0100'

describe.runIf(chromium)('the pages of calls and personas', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await simulatedCalls(browser.app).caller()
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const open = (path: string, member = owner, prepare?: (page: Page) => Promise<unknown>): Promise<Opened> =>
    browser.open(`/o/ORG${path}`, member, prepare)
  const callsOf = async () => (await org.get('/voice/calls')).body.data
  const dials = () => simulatedCalls(browser.app).dials(org)

  /** Counts the clicks and the typed fields of a person. */
  function countActions() {
    const counts = { clicks: 0, typed: 0 }
    return {
      counts,
      click: (control: Locator) => {
        counts.clicks += 1
        return control.click()
      },
      type: (control: Locator, text: string) => {
        counts.typed += 1
        return control.fill(text)
      },
    }
  }

  test('a call is placed after a check with 3 clicks and one typed field, and it can be ended', async () => {
    const { body } = await org.post('/personas', { name: 'Mia', greeting: 'Hello, this is Mia.' })
    await org.post(`/personas/${body.data.persona_id}/activate`)
    const consent = { phone: 'granted' }
    await org.post('/contacts', { first_name: 'Grace', last_name: 'Hopper', phone: answeredNumber, consent })
    const opened = await open('/calls')
    const { page } = opened
    const person = countActions()
    await person.click(button(page, 'Place a call').first())
    await person.type(page.getByLabel('Number to call'), '+1 202 555 0100')
    await person.click(button(page, 'Check'))
    await page.getByText('Grace Hopper may be called').waitFor()
    expect(await callsOf()).toEqual([])
    await page.getByText('The simulator answers the call: no phone rings').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await person.click(button(page, `Call ${answeredWords}`))
    await page.getByText(`${answeredWords} is being called.`).waitFor()
    expect(person.counts).toEqual({ clicks: 3, typed: 1 })
    const live = page.getByRole('region', { name: 'Running calls' })
    await live.getByText('Grace Hopper').waitFor()
    await simulatedCalls(browser.app).simulate(3_000)
    await live.getByText('talking').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    expect(await callsOf()).toMatchObject([{ to_number: answeredNumber, persona_id: body.data.persona_id }])
    const days = page.getByRole('table', { name: 'Calls by day' }).locator('tbody tr')
    await expect.poll(() => days.count(), patience).toBe(30)
    await live.getByRole('button', { name: /^End the call to / }).click()
    await page.getByText('The call is ended.').waitFor()
    await page.getByRole('table', { name: 'Calls' }).getByText('canceled').waitFor()
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await page.getByText('Id at the provider').waitFor()
    await page.getByRole('link', { name: 'Mia' }).waitFor()
    await requireNoFaultsInTwoThemes(opened)
  })

  test('the page of a person leads to a checked call to their number, or says why no call is possible', async () => {
    const consent = { phone: 'granted' }
    const ids: string[] = []
    for (const person of [
      { first_name: 'Grace', last_name: 'Hopper', phone: answeredNumber, consent },
      { last_name: 'Kelly', phone: '+12025550148', consent: { phone: 'denied' } },
      { last_name: 'Silent', email: 'silent@x.example' },
    ])
      ids.push((await org.post('/contacts', person)).body.data.contact_id)
    const opened = await open(`/people/${ids[0]}`)
    const { page } = opened
    const link = page.getByRole('link', { name: 'Place a call' })
    await link.waitFor()
    await requireNoFaultsInAllLooks(opened)
    await link.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Number to call').and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Check', disabled: false }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Grace Hopper may be called').waitFor()
    await page.getByText('it costs nothing').waitFor()
    expect(await callsOf()).toEqual([])
    await button(page, `Call ${answeredWords}`).click()
    await page.getByText(`${answeredWords} is being called.`).waitFor()
    expect(await callsOf()).toMatchObject([{ to_number: answeredNumber }])

    const denied = await open(`/people/${ids[1]}`)
    await denied.page.getByRole('link', { name: 'Place a call' }).click()
    await button(denied.page, 'Check').click()
    await denied.page.getByText('A contact with this number denied consent to phone calls.').waitFor()
    const silent = await open(`/people/${ids[2]}`)
    await silent.page.getByRole('heading', { name: 'Silent' }).waitFor()
    expect(await button(silent.page, 'Place a call').isDisabled()).toBe(true)
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const seen = await open(`/people/${ids[0]}`, viewer)
    await seen.page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    expect(await seen.page.getByText('Place a call').count()).toBe(0)
  })

  test('a double click on the call button with slow answers places one call', async () => {
    const { page } = await open('/calls?call=%2B12025550104')
    await button(page, 'Check').click()
    const call = button(page, 'Call +1 202 555 0104')
    await call.waitFor()
    let requests = 0
    await page.route('**/voice/calls', async (route) => {
      requests += 1
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await call.dblclick()
    await page.getByText('+1 202 555 0104 is being called.').waitFor()
    expect([requests, await dials(), (await callsOf()).length]).toEqual([1, 1, 1])
  })

  test('if the answer is lost, the page says that the phone may have rung, until the list of calls has the call', async () => {
    const opened = await open('/calls', owner, withClock)
    const { page } = opened
    await page.getByText('Nobody was called yet').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Number to call').fill(answeredNumber)
    await button(page, 'Check').click()
    const call = button(page, `Call ${answeredWords}`)
    await call.waitFor()
    // The server gets each try, and the browser gets no answer. The list of calls is away as well.
    const lost = async (route: Route) => {
      if (route.request().method() === 'POST') await route.fetch()
      await route.abort()
    }
    await page.route(/voice\/calls(\?.*)?$/, lost)
    await call.click()
    await waitToShow(opened, page.getByText(`It is not known whether ${answeredWords} rang.`))
    await requireNoFaultsInTwoThemes(opened)
    expect(await dials()).toBe(1)
    await page.unroute(/voice\/calls(\?.*)?$/)
    await waitToShow(opened, page.getByText(`The call to ${answeredWords} was placed`))
    await page.getByText('It is not known').waitFor({ state: 'detached' })
    expect([await dials(), (await callsOf()).length]).toEqual([1, 1])
  })

  test('the check refuses numbers that must not be called, and leads to the reason', async () => {
    const number = '+12025550147'
    await org.post('/voice/suppressions', { number, reason: 'Asked not to be called' })
    await org.post('/contacts', { last_name: 'Kelly', phone: '+12025550148', consent: { phone: 'denied' } })
    const opened = await open('/calls')
    const { page } = opened
    await button(page, 'Place a call').first().click()
    const field = page.getByLabel('Number to call')
    await field.fill('12')
    await page.keyboard.press('Enter')
    await expect.poll(() => field.getAttribute('aria-invalid'), patience).toBe('true')
    await expect.poll(() => page.getByText('12 is a short code or incomplete').count(), patience).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(0)
    await field.fill('+12025550148')
    await page.keyboard.press('Enter')
    await page.getByText('A contact with this number denied consent to phone calls.').waitFor()
    await page.getByRole('link', { name: 'Open Kelly' }).waitFor()
    await field.fill(number)
    await page.keyboard.press('Enter')
    await page.getByText('This number is on your list of numbers that are never called.').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('link', { name: 'Open the list' }).click()
    await button(page, 'Discard').click()
    await page.getByRole('row', { name: '+1 202 555 0147' }).waitFor()
    expect(new URL(page.url()).searchParams.get('number')).toBe(number)
    await requireNoFaultsInTwoThemes(opened)
    await button(page, 'Remove +1 202 555 0147').click()
    await button(page, 'Allow calls').click()
    await page.getByText('This number is not on the list').waitFor()
    await button(page, 'Add a number').click()
    await page.getByRole('dialog').getByLabel('Number').fill('+12025550149')
    await page.keyboard.press('Enter')
    await page.getByText('The number is never called.').waitFor()
    expect(await callsOf()).toEqual([])
    expect((await org.get('/voice/suppressions')).body.data).toMatchObject([{ number: '+12025550149' }])
  })

  test('a persona is created, edited beside another member, activated, archived and restored', async () => {
    const opened = await open('/personas')
    const { page } = opened
    await page.getByText('There is no persona yet').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Name', { exact: true }).fill('Mia')
    await page.getByLabel('First words').fill('Hello, this is Mia.')
    await button(page, 'Voice').click()
    await page.getByLabel('Speed').fill('9')
    await button(page, 'Create persona').click()
    await page.getByText(/at most 4/).waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByLabel('Speed').fill('1.1')
    await button(page, 'Create persona').click()
    await page.getByText('draft', { exact: true }).waitFor()
    const [persona] = (await org.get('/personas')).body.data
    expect(persona).toMatchObject({ name: 'Mia', status: 'draft', voice: { speed: 1.1 } })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Confirm appointments.')
    await org.patch(`/personas/${persona.persona_id}`, { greeting: 'Mia here.' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else changed the first words of this persona').waitFor()
    await button(page, 'Save again').click()
    await page.getByText('Mia is saved.').waitFor()
    await page.getByText('Mia here.').waitFor()
    await button(page, 'Activate').click()
    await page.getByText('Mia is active.').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await button(page, 'Archive').click()
    await page.getByText('Mia is archived.').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('Mia is restored.').waitFor()
    const { body } = await org.get(`/personas/${persona.persona_id}`)
    expect(body.data).toMatchObject({
      ...{ status: 'active', greeting: 'Mia here.', instructions: 'Confirm appointments.' },
    })
  })

  test('the settings of voice change the provider, the numbers and the rules, and show no secret', async () => {
    const opened = await open('/settings/voice')
    const { page } = opened
    await button(page, 'Change the provider').click()
    await page.getByRole('radio', { name: 'Twilio' }).check()
    await page.getByLabel('Auth token').fill('twilio-token-0123456789abcdef')
    await button(page, 'Save').last().click()
    await page.getByRole('dialog').getByText('This field is empty').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByLabel('Account SID').fill(`AC${'0123456789abcdef'.repeat(2)}`)
    await button(page, 'Save').last().click()
    await page.getByText('The voice settings are saved.').waitFor()
    await page.getByText('…cdef').first().waitFor()
    expect(await page.getByText('none, because PUBLIC_URL is not set').count()).toBe(1)
    expect(await page.content()).not.toContain('twilio-token')
    await page.getByLabel('Call only in these hours').check()
    await page.getByLabel('Until').fill('20:00')
    await page.getByLabel('Most calls at once').fill('0')
    await button(page, 'Save').click()
    await page.getByText(/at least 1/).waitFor()
    await page.getByLabel('Most calls at once').fill('3')
    await button(page, 'Save').click()
    await page.getByText('The voice settings are saved.').nth(1).waitFor()
    await requireNoFaultsInTwoThemes(opened)
    expect((await org.get('/voice/settings')).body.data).toMatchObject({
      ...{ provider: 'twilio', concurrent_call_cap: 3, calling_hours: { start: '09:00', end: '20:00' } },
    })
    await button(page, 'Add a number').click()
    await page.getByRole('dialog').getByLabel('Number', { exact: true }).fill('+14155550199')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: '+1 415 555 0199' }).waitFor()
    await button(page, 'Remove +1 415 555 0199').click()
    await button(page, 'Remove number').click()
    await page.getByText('+1 415 555 0199 is removed.').waitFor()
  })

  test('an organization without a number adds one first, and a viewer places no call', async () => {
    const other = await browser.app.newOrg()
    const member = await newMember(browser.app, other.orgId)
    const opened = await open('/calls', member)
    const { page } = opened
    await button(page, 'Place a call').first().click()
    await page.getByRole('textbox', { name: 'Number', exact: true }).fill('+14155550100')
    await requireNoFaults(opened)
    await button(page, 'Add number').click()
    await page.getByLabel('Number to call').fill('+12025550104')
    await button(page, 'Check').click()
    await button(page, 'Call +1 202 555 0104').waitFor()
    await place(org, { to_number: '+12025550104' })
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const seen = await open('/calls', viewer)
    await seen.page.getByRole('link', { name: '+1 202 555 0104' }).waitFor()
    expect(await button(seen.page, /Place a call|End the call/).count()).toBe(0)
  })
})
