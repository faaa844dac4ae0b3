/**
 * Sends requests two at a time: while the server works on one, the next is on its way. `neededBefore`: for each request, how many of
 * those before it have to be answered first. Resolves with the first failure, after which nothing more is sent.
 */
export async function sendOverlapping<Failure>(
  neededBefore: readonly number[],
  send: (place: number) => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  const sent: Promise<void>[] = []
  let failure: Failure | undefined
  for (const [place, needed] of neededBefore.entries()) {
    // Two at most are on their way: all before the previous request are answered by now.
    await sent[place - 2]
    if (needed === place) await sent[place - 1]
    if (failure !== undefined) break
    sent.push(
      send(place).then((failed) => {
        failure ??= failed
      }),
    )
  }
  await Promise.all(sent)
  return failure
}
