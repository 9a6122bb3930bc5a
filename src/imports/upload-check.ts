import { Readable } from 'node:stream'
import { EncodingCheck } from '../csv/encoding.ts'
import type { Org } from '../platform/db/org.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { inSlices } from '../platform/slices.ts'
import { readFieldOverviews } from '../records/defined-fields/definition.ts'
import { customKey } from '../records/filters/custom.ts'
import { notUniqueField } from '../records/match-on.ts'
import type { RecordType } from '../records/record-type.ts'
import { piecesOf } from './pieces.ts'
import { openTable, UnusableFile } from './table.ts'
import { limitSpreadsheets } from './xlsx/limit-spreadsheets.ts'
import { isZip, unreadableStart } from './xlsx/xlsx.ts'

/** The client's statements about its file. */
export type FileClaims = {
  type: RecordType
  mapping: Record<string, string> | undefined
  matchOn?: string | undefined
  encoding?: string | undefined
  /** The path of the file and of each option in the request, for the details of a 422. */
  loc: Record<UnusableFile['part'], string[]>
}

/**
 * Refuses during the upload what the job would otherwise refuse later: an unreadable file, an unknown encoding, or a
 * mapping that does not fit. Checks the header of a CSV file at the first piece, and a spreadsheet at the last piece.
 */
export class UploadCheck {
  readonly #org: Org
  readonly #payerId: string
  readonly #importId: string
  readonly #claims: FileClaims
  readonly #encoding: EncodingCheck
  /** The encoding with which the header was read; null before the first piece. */
  #readAs: string | null = null
  /** Whether rows name companies, which the import may then create. */
  makesCompanies = false
  /** Whether the file is an .xlsx file, which can be read only as a whole. */
  isSpreadsheet = false

  /** @param payerId the organization whose limits the request uses */
  constructor(org: Org, payerId: string, importId: string, claims: FileClaims) {
    this.#org = org
    this.#payerId = payerId
    this.#importId = importId
    this.#claims = claims
    this.#encoding = new EncodingCheck(claims.encoding)
  }

  /** @throws ValidationError */
  async read(piece: Buffer): Promise<void> {
    const isFirst = this.#readAs === null && !this.isSpreadsheet
    if (isFirst) this.isSpreadsheet = isZip(piece)
    if (this.isSpreadsheet) return
    await inSlices(this.#payerId, this.#encoding.read(piece))
    if (!isFirst) return
    const problem = unreadableStart(piece)
    if (problem !== null) throw this.#refused('file', problem.problem)
    this.#readAs = this.#encodingOrThrow()
    await this.#checkHeader(Readable.from([piece]), this.#readAs)
  }

  /** Returns the encoding of the whole file; null for a spreadsheet. @throws ValidationError */
  async finish(): Promise<string | null> {
    if (this.isSpreadsheet) {
      await limitSpreadsheets(this.#payerId, () => this.#checkHeader(this.#pieces(), undefined))
      return null
    }
    const encoding = this.#encodingOrThrow()
    // All bytes together may mean another encoding than the first piece.
    if (encoding !== this.#readAs) await this.#checkHeader(this.#pieces(), encoding)
    return encoding
  }

  #pieces(): AsyncIterable<Uint8Array> {
    return piecesOf(this.#org, this.#importId)
  }

  #encodingOrThrow(): string {
    const result = this.#encoding.result()
    if ('problem' in result) throw this.#refused('file', result.problem)
    return result.encoding
  }

  async #checkHeader(source: AsyncIterable<Uint8Array>, encoding: string | undefined): Promise<void> {
    const { type, mapping, matchOn } = this.#claims
    const fields = await this.#org.read((tx) => readFieldOverviews(tx, type.entity))
    try {
      const { columns } = await openTable(source, type, {
        mapping,
        matchOn,
        defined: fields,
        encoding,
        owner: this.#payerId,
        sampled: true,
      })
      const key = customKey(matchOn ?? '')
      if (key !== null && !fields.some((each) => each.key === key && each.is_unique))
        throw new UnusableFile(notUniqueField(`custom.${key}`), 'match_on')
      this.makesCompanies = columns.some(({ field }) => field === 'company_domain')
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error
      throw this.#refused(error.part, error.message)
    }
  }

  #refused(part: UnusableFile['part'], message: string): ValidationError {
    const code = part === 'match_on' ? 'match_key_missing' : undefined
    return new ValidationError([detailAt(this.#claims.loc[part], refuse(message))], code)
  }
}
