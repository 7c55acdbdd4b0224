// The root is where node_modules is; without it Next looks for one by lock files.
export default { turbopack: { root: process.cwd() }, devIndicators: false };
