/** How many iterations in a row the work skips at most. */
const timesMax = 8

let arrivals = 0

/** Counts a new connection. */
export function noteArrival(): void {
  arrivals++
}

/**
 * Returns a function for work that fills part of each iteration of the event loop. It returns true if the work must skip this
 * iteration, because a connection arrived since the last call. libuv accepts one connection of each listening socket in an iteration
 * (https://github.com/libuv/libuv/pull/3696). With one socket and iterations of 8 ms, 500 clients that connect at once would make
 * the next client wait for four seconds.
 */
export function givingWayToArrivals(): () => boolean {
  let seen = 0
  let times = 0
  return () => {
    times = arrivals !== seen && times < timesMax ? times + 1 : 0
    seen = arrivals
    return times > 0
  }
}
