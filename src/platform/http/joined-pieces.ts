/** Larger pieces are passed on as they are. */
const smallBytes = 512
const joinedBytes = 2_048
/** After this many small pieces, the stream waits for the next iteration. Node has read up to 64 KiB by then. */
const atOnce = 512

type Push = (piece: Buffer | null) => boolean

/** Joins the small pieces that arrive in one iteration of the event loop, and passes them to a readable stream. */
export class JoinedPieces {
  readonly #push: Push
  #joined: Buffer | null = null
  #bytes = 0
  /** How many pieces have been joined in this iteration. */
  #pieces = 0
  /** Whether the stream wanted no more at the end of the last iteration. */
  #isFull = false

  /** @param push passes a piece to the stream, and returns whether it wants more now; null ends it */
  constructor(push: Push) {
    this.#push = push
  }

  /** Does the same as the function of the constructor, for small pieces by the end of the iteration. */
  push(piece: Buffer | null): boolean {
    if (piece === null || piece.length >= smallBytes) {
      this.#passOn()
      return this.#push(piece)
    }
    const wantsMore = this.#bytes + piece.length <= joinedBytes || this.#passOn()
    this.#add(piece)
    const mustWait = !wantsMore || this.#isFull || this.#pieces > atOnce
    this.#isFull = false
    return !mustWait
  }

  #add(piece: Buffer): void {
    if (this.#joined === null) {
      this.#joined = Buffer.allocUnsafe(joinedBytes)
      setImmediate(() => {
        this.#isFull = !this.#passOn()
        this.#joined = null
        this.#pieces = 0
      })
    }
    piece.copy(this.#joined, this.#bytes)
    this.#bytes += piece.length
    this.#pieces += 1
  }

  /** Passes on a copy: the stream would keep 2 KiB for a few bytes otherwise. */
  #passOn(): boolean {
    if (this.#joined === null || this.#bytes === 0) return true
    const joined = Buffer.from(this.#joined.subarray(0, this.#bytes))
    this.#bytes = 0
    return this.#push(joined)
  }
}
