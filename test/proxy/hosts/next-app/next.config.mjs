// Without a root Next looks for one by lock files.
export default { turbopack: { root: process.cwd() }, devIndicators: false };
