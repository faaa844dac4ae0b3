// Nearly all of the frame runs before the first rows are there. With this as its first line Chromium compiles it while it arrives,
// beside the page, instead of piece by piece when it is first called.
const hint = '//# allFunctionsCalledOnLoad\n'

/** @returns {import('vite').Plugin} */
export function compileHint() {
  return {
    name: 'daymark:compile-hint',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // A banner would come second, behind what Vite itself puts in front, and count for nothing there.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && file.name === 'frame') file.code = `${hint}${file.code}`
        }
      },
    },
  }
}
