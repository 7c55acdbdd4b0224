// How long each address of the service may take to connect, where its name has addresses of IPv4 and of IPv6.
// - Node gives each of them but the last 250 ms and then tries the next one, of the other family. From a machine without IPv6 it
//   could not reach a service that is so far away, or whose first packet was lost (sent again after 1 s, RFC 6298, 2).

/** Options of a connection. An address that does not answer at all leaves the next one its time (CONNECT_MS is 5 s). */
export const addressFamilies = { autoSelectFamilyAttemptTimeout: 1_500 };
