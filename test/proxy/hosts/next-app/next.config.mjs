// Without `root` Next searches for a root by lock files.
export default { turbopack: { root: process.cwd() }, devIndicators: false };
