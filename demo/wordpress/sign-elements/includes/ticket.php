<?php
/**
 * `GET /wp-json/sign-elements/v1/ticket`: a ticket as text, for a proxy that requires one (docs/proxy.md, Tickets).
 *
 * - It is for pages of this site. A request that the browser marks as coming from another site is refused.
 * - A ticket is valid for five minutes. An address gets at most 60 tickets a minute.
 */

defined( 'ABSPATH' ) || exit;

const SIGN_ELEMENTS_TICKETS_A_MINUTE = 60;

function sign_elements_b64( string $data ): string {
	return rtrim( strtr( base64_encode( $data ), '+/', '-_' ), '=' );
}

function sign_elements_ticket(): string {
	$claims = array(
		'site'    => sign_elements_setting( 'site' ),
		'expires' => time() + 300,
		'nonce'   => bin2hex( random_bytes( 16 ) ),
	);
	$signed = sign_elements_setting( 'key_id' ) . '.' . sign_elements_b64( (string) wp_json_encode( $claims ) );
	return $signed . '.' . sign_elements_b64( hash_hmac( 'sha256', $signed, sign_elements_key(), true ) );
}

/** Counts the tickets of an address in this minute. The address itself is not stored. */
function sign_elements_may_have_one(): bool {
	$address = sanitize_text_field( wp_unslash( $_SERVER['REMOTE_ADDR'] ?? '' ) );
	$name    = 'sign_elements_' . substr( wp_hash( $address . gmdate( 'YmdHi' ) ), 0, 20 );
	$count   = (int) get_transient( $name );
	set_transient( $name, $count + 1, 2 * MINUTE_IN_SECONDS );
	return $count < SIGN_ELEMENTS_TICKETS_A_MINUTE;
}

add_action(
	'rest_api_init',
	function () {
		register_rest_route(
			'sign-elements/v1',
			'/ticket',
			array(
				'methods'             => 'GET',
				'permission_callback' => function () {
					$from = sanitize_key( $_SERVER['HTTP_SEC_FETCH_SITE'] ?? 'same-origin' );
					return 'same-origin' === $from || 'none' === $from;
				},
				'callback'            => function () {
					if ( ! sign_elements_setting( 'tickets' ) || '' === sign_elements_key() ) {
						return new WP_Error( 'sign_elements_off', 'no tickets here', array( 'status' => 404 ) );
					}
					if ( ! sign_elements_may_have_one() ) {
						return new WP_Error( 'sign_elements_many', 'too many tickets', array( 'status' => 429 ) );
					}
					$answer = new WP_REST_Response( sign_elements_ticket() );
					$answer->header( 'Cache-Control', 'no-store' );
					return $answer;
				},
			)
		);
	}
);

/** Sends the ticket as text, because the element sends on exactly what it reads. */
add_filter(
	'rest_pre_serve_request',
	function ( $served, $answer, $request ) {
		if ( $served || '/sign-elements/v1/ticket' !== $request->get_route() || $answer->is_error() || ! is_string( $answer->get_data() ) ) {
			return $served;
		}
		header( 'Content-Type: text/plain; charset=utf-8' );
		echo $answer->get_data(); // phpcs:ignore -- base64url and dots, as text
		return true;
	},
	10,
	3
);
