import { test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'
import { xlsxOf } from '../support/xlsx.ts'

test('odd', async () => {
  const browser = await ConsoleBrowser.start(chromiumOrSkip() ?? '')
  const org = await browser.app.newOrg({ name: 'Lantern Row' })
  const owner = await newMember(browser.app, org.orgId)
  const { page } = await browser.open('/o/ORG/imports', owner)
  const wide = Array.from({ length: 200 }, (_, n) => `Überschrift Nummer ${n}`)
  const files: [string, string | Buffer][] = [
    ['semicolon.csv', 'Vorname;Nachname;E-Mail;Telefon\nJörg;"Müller; Dr.";joerg@example.com;030 23125000\n'],
    ['utf16.csv', Buffer.from('\ufeffName\tE-Mail\nZoë\tzoe@example.com\n', 'utf16le')],
    ['latin1.csv', Buffer.from('Vorname;E-Mail\nJörg;joerg@example.com\n', 'latin1')],
    ['wide.csv', `email,${wide.join(',')}\nada@example.com,${wide.map((_, n) => n).join(',')}\n`],
    ['one.csv', 'email\nada@example.com\nnot\n'],
    ['header.csv', 'name,email\n'],
    ['noheader.csv', 'ada@example.com,+49 30 1234\nbob@example.com,\n'],
    ['dup.csv', 'name,note,note,\nAda,a,b,c\n'],
    ['quotes.csv', 'name,email\n"Ada ""the first"", Lovelace",ada@example.com\n"broken,x@example.com\n'],
    [
      'book.xlsx',
      Buffer.from(
        await xlsxOf([
          ['Name', 'E-Mail'],
          ['Ada', 'ada@example.com'],
        ] as never),
      ),
    ],
    ['old.xls', Buffer.from('d0cf11e0a1b11ae100000000', 'hex')],
    ['random.bin', Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 37) % 256))],
  ]
  for (const [name, text] of files) {
    await page.goto(`/console/o/${org.orgId}/imports/new`)
    const [c] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    const start = Date.now()
    await c.setFiles({ name, mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(text as string) })
    await page.getByText('recognized').or(page.getByRole('alert')).first().waitFor()
    const ms = Date.now() - start
    await page.screenshot({ path: `/work/wt/imports/.shots/odd-${name}.png` })
    const head = await page.locator('h2').allTextContents()
    const alerts = await page.getByRole('alert').allTextContents()
    const check = page.getByRole('button', { name: 'Check the rows' })
    console.log(
      name,
      ms,
      head,
      alerts,
      (await check.count()) ? (await page.getByRole('row').allTextContents()).length : '',
    )
    if ((await check.count()) && (await check.isEnabled())) {
      await check.click()
      await page.getByText('Nothing is written yet').or(page.getByRole('alert')).first().waitFor()
      console.log(
        '   check:',
        await page.locator('h2').allTextContents(),
        await page.getByRole('alert').allTextContents(),
        (await page.getByRole('row').allTextContents()).slice(0, 4),
      )
      await page.screenshot({ path: `/work/wt/imports/.shots/odd-${name}-check.png` })
    }
    page.once('dialog', (d) => void d.accept())
  }
  await browser.close()
})
