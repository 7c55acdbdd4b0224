<?php
/**
 * Plugin Name: Sign Elements
 * Description: A signer beside posts and pages: reads them sentence by sentence in BSL or ASL, through a proxy that keeps the account of the service.
 * Version: 0.1.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * License: MIT
 * Text Domain: sign-elements
 *
 * - Only the content of the post is read: no menu, no "Posted by", no comment.
 * - Only a user who may manage options can set the address of the proxy. An author places signers and cannot name another proxy.
 * - The key of the tickets never leaves the server, and no page of the dashboard shows it.
 */

defined( 'ABSPATH' ) || exit;

require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/signer.php';
require __DIR__ . '/includes/placing.php';
require __DIR__ . '/includes/ticket.php';
