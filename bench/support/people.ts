const given = 'Ada Grace Mitchell Connor Emily Joshua Sienna Harley Madeline Isabelle Benjamin Olivia'.split(
  ' ',
)
const family = 'Lovelace Hopper Green Mason McCarthy Nguyen Smith Garcia Novak Rossi'.split(' ')

const header = 'First name,Last name,Email,Phone,Company,Job title,City,Country,CRM ID'

/** Person number `n` as a row of a CSV file. It is the same in each run. */
export function csvRow(n: number): string {
  const first = given[n % given.length]!
  const last = `${family[(n * 7) % family.length]}${n % 977}`
  const phone = `+1415555${String(n % 10_000).padStart(4, '0')}`
  return `${first},${last},${first.toLowerCase()}.${n}@x${n % 997}.example,${phone},Company ${n % 997},Engineer,London,United Kingdom,${n}`
}

/** A CSV file of this many people in pieces of about 64 KiB. Infinity makes it endless. */
export async function* csvFile(people: number): AsyncGenerator<Buffer, void> {
  let text = `${header}\n`
  for (let n = 0; n < people; n++) {
    text += `${csvRow(n)}\n`
    if (text.length >= 65_536) {
      yield Buffer.from(text)
      text = ''
    }
  }
  if (text !== '') yield Buffer.from(text)
}
