// A web worker that ticks every second, for a page whose own timers the browser throttles.
setInterval(() => postMessage('tick'), 1_000)
