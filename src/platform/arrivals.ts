/** How many times in a row work gives way. */
const timesMax = 8

let arrivals = 0

/** Counts a new connection. */
export function noteArrival(): void {
  arrivals++
}

/**
 * Returns a function that says whether work which fills part of each iteration of the event loop must leave out this one, because
 * a connection arrived since the last call. libuv accepts one connection in each iteration
 * (https://github.com/libuv/libuv/pull/3696). With iterations of 8 ms, 500 clients that connect at once would make the
 * next client wait for four seconds.
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
