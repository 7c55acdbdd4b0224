<?php
/**
 * Settings → Sign Elements.
 *
 * - The page and its form are for `manage_options`; the form carries WordPress's nonce (Settings API).
 * - Saved values are sanitised once more when they are printed.
 */

defined( 'ABSPATH' ) || exit;

/** The values until the form is saved for the first time. */
function sign_elements_defaults(): array {
	return array(
		'proxy'     => '/sign',
		'language'  => 'BSL',
		'signer'    => '',
		'placement' => 'bottom-right',
		'types'     => array( 'post', 'page' ),
		'tickets'   => '',
		'site'      => 'default',
		'key_id'    => 'default',
	);
}

function sign_elements_setting( string $name ) {
	$saved = get_option( 'sign_elements' );
	return array_merge( sign_elements_defaults(), is_array( $saved ) ? $saved : array() )[ $name ];
}

/** A path of this site, or an http(s) address; never `javascript:` and the like. Null for anything else. */
function sign_elements_proxy( $value ): ?string {
	$proxy = untrailingslashit( trim( (string) $value ) );
	if ( preg_match( '~^/[\w./-]*$~', $proxy ) && ! str_starts_with( $proxy, '//' ) ) {
		return $proxy;
	}
	$clean = esc_url_raw( $proxy, array( 'http', 'https' ) );
	return $clean === $proxy && wp_parse_url( $clean, PHP_URL_HOST ) ? $clean : null;
}

function sign_elements_one_of( $value, array $words ): string {
	return in_array( $value, $words, true ) ? $value : $words[0];
}

function sign_elements_placements(): array {
	return array( 'bottom-right', 'bottom-left', 'top-right', 'top-left', 'inline' );
}

/** Turns anything that a form or a program sends into the values that are kept. */
function sign_elements_clean( $given ): array {
	$given = array_merge( sign_elements_defaults(), is_array( $given ) ? $given : array() );
	$proxy = sign_elements_proxy( $given['proxy'] );
	if ( null === $proxy ) {
		add_settings_error( 'sign_elements', 'proxy', __( 'The proxy is a path, such as /sign, or an address that begins with https://.', 'sign-elements' ) );
		$proxy = sign_elements_setting( 'proxy' );
	}
	return array(
		'proxy'     => $proxy,
		'language'  => sign_elements_one_of( $given['language'], array( 'BSL', 'ASL' ) ),
		'signer'    => sanitize_text_field( $given['signer'] ),
		'placement' => sign_elements_one_of( $given['placement'], sign_elements_placements() ),
		'types'     => array_values( array_intersect( array_map( 'sanitize_key', (array) $given['types'] ), get_post_types( array( 'public' => true ) ) ) ),
		'tickets'   => '1' === $given['tickets'] ? '1' : '',
		'site'      => sanitize_key( $given['site'] ),
		'key_id'    => sanitize_key( $given['key_id'] ),
	);
}

/** An empty field keeps the existing key. */
function sign_elements_clean_key( $given ): string {
	$key = trim( (string) $given );
	if ( '' === $key ) {
		return (string) get_option( 'sign_elements_key', '' );
	}
	if ( ! preg_match( '/^[\x21-\x7e]{20,8192}$/', $key ) ) {
		add_settings_error( 'sign_elements_key', 'key', __( 'The key of the tickets has at least 20 characters and no space.', 'sign-elements' ) );
		return (string) get_option( 'sign_elements_key', '' );
	}
	return $key;
}

add_action(
	'admin_init',
	function () {
		add_option( 'sign_elements_key', '', '', false );
		register_setting( 'sign_elements', 'sign_elements', array( 'type' => 'array', 'sanitize_callback' => 'sign_elements_clean' ) );
		register_setting( 'sign_elements', 'sign_elements_key', array( 'type' => 'string', 'sanitize_callback' => 'sign_elements_clean_key' ) );
	}
);

add_action(
	'admin_menu',
	function () {
		add_options_page( 'Sign Elements', 'Sign Elements', 'manage_options', 'sign-elements', 'sign_elements_page' );
	}
);

/** `$help` is a sentence under the field; a screen reader reads it with the field. */
function sign_elements_row( string $name, string $label, string $field, string $help = '' ): void {
	if ( '' !== $help ) {
		$id    = "sign-$name-help";
		$field = preg_replace( '/ id="/', sprintf( ' aria-describedby="%s" id="', esc_attr( $id ) ), $field, 1 );
		$field = sprintf( '%s<p class="description" id="%s">%s</p>', $field, esc_attr( $id ), esc_html( $help ) );
	}
	printf( '<tr><th scope="row"><label for="sign-%s">%s</label></th><td>%s</td></tr>', esc_attr( $name ), esc_html( $label ), $field ); // phpcs:ignore -- made of escaped parts
}

function sign_elements_text( string $name ): string {
	return sprintf( '<input id="sign-%1$s" name="sign_elements[%1$s]" value="%2$s" class="regular-text">', esc_attr( $name ), esc_attr( sign_elements_setting( $name ) ) );
}

function sign_elements_select( string $name, array $words ): string {
	$options = '';
	foreach ( $words as $word ) {
		$options .= sprintf( '<option %s>%s</option>', selected( sign_elements_setting( $name ), $word, false ), esc_html( $word ) );
	}
	return sprintf( '<select id="sign-%1$s" name="sign_elements[%1$s]">%2$s</select>', esc_attr( $name ), $options );
}

function sign_elements_page(): void {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	$types = '<input type="hidden" name="sign_elements[types][]" value="">';
	foreach ( get_post_types( array( 'public' => true ), 'objects' ) as $type ) {
		$types .= sprintf(
			'<label><input type="checkbox" name="sign_elements[types][]" value="%s" %s> %s</label> ',
			esc_attr( $type->name ),
			checked( in_array( $type->name, sign_elements_setting( 'types' ), true ), true, false ),
			esc_html( $type->labels->name )
		);
	}
	echo '<div class="wrap"><h1>Sign Elements</h1><form method="post" action="options.php">';
	settings_fields( 'sign_elements' );
	echo '<table class="form-table" role="presentation">';
	sign_elements_row(
		'proxy',
		__( 'Proxy', 'sign-elements' ),
		sign_elements_text( 'proxy' ),
		__( 'A path of this site, such as /sign, or the address of a proxy elsewhere, such as https://signs.example.org/sign. The proxy must allow this site.', 'sign-elements' )
	);
	sign_elements_row( 'language', __( 'Language', 'sign-elements' ), sign_elements_select( 'language', array( 'BSL', 'ASL' ) ) );
	sign_elements_row( 'signer', __( 'Signer', 'sign-elements' ), sign_elements_text( 'signer' ), __( 'Leave empty for the usual signer of the language.', 'sign-elements' ) );
	sign_elements_row(
		'placement',
		__( 'Where', 'sign-elements' ),
		sign_elements_select( 'placement', sign_elements_placements() ),
		__( 'A corner of the window, or the end of the page (inline).', 'sign-elements' )
	);
	printf( '<tr><th scope="row">%1$s</th><td><fieldset><legend class="screen-reader-text">%1$s</legend>%2$s</fieldset></td></tr>', esc_html__( 'Show a signer on', 'sign-elements' ), $types ); // phpcs:ignore -- made of escaped parts
	sign_elements_row(
		'tickets',
		__( 'The proxy requires tickets', 'sign-elements' ),
		sprintf( '<input type="checkbox" id="sign-tickets" name="sign_elements[tickets]" value="1" %s>', checked( sign_elements_setting( 'tickets' ), '1', false ) )
	);
	sign_elements_row(
		'site',
		__( 'Name of this site at the proxy', 'sign-elements' ),
		sign_elements_text( 'site' ),
		__( 'For tickets only. It is default, unless the proxy serves several sites.', 'sign-elements' )
	);
	sign_elements_row( 'key_id', __( 'Name of the key', 'sign-elements' ), sign_elements_text( 'key_id' ), __( 'For tickets only. It is default, unless the proxy serves several sites.', 'sign-elements' ) );
	sign_elements_row(
		'key',
		__( 'Key of the tickets', 'sign-elements' ),
		sprintf(
			'<input type="password" id="sign-key" name="sign_elements_key" value="" autocomplete="off" class="regular-text" placeholder="%s">',
			esc_attr( '' === sign_elements_key() ? '' : __( 'There is a key. Leave empty to keep it.', 'sign-elements' ) )
		)
	);
	echo '</table>';
	submit_button();
	echo '</form></div>';
}

/** `SIGN_TICKET_KEY` of wp-config.php replaces the saved key. */
function sign_elements_key(): string {
	return defined( 'SIGN_TICKET_KEY' ) ? (string) SIGN_TICKET_KEY : (string) get_option( 'sign_elements_key', '' );
}
